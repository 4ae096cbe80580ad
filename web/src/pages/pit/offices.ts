// The staff by office and department.
import type { Schemas } from "../../lib/api";
import { type Department, OFFICES_HIGHEST_FIRST, type Office, OTHER_DEPARTMENTS } from "../../lib/offices";

export interface Group {
  office: Office;
  department: Department;
  people: Schemas["StaffMember"][];
}

/** The staff: Table Games by office, highest first, then the other departments. */
export function byPost(staff: readonly Schemas["StaffMember"][]): Group[] {
  const of = (department: Department) => staff.filter((member) => member.department === department);
  const offices = OFFICES_HIGHEST_FIRST.map((office): Group => {
    const people = of("table-games").filter((member) => member.office === office);
    return { office, department: "table-games", people };
  });
  const others = OTHER_DEPARTMENTS.map(
    (department): Group => ({ office: "dealer", department, people: of(department) }),
  );
  return [...offices, ...others];
}
