// The staff by office.
import type { Schemas } from "../../lib/api";
import { OFFICES_HIGHEST_FIRST, type Office } from "../../lib/offices";

export interface OfficeGroup {
  office: Office;
  people: Schemas["StaffMember"][];
}

/** The staff by office, highest first. */
export const byOffice = (staff: readonly Schemas["StaffMember"][]): OfficeGroup[] =>
  OFFICES_HIGHEST_FIRST.map((office) => ({ office, people: staff.filter((member) => member.office === office) }));
