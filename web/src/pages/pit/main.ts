import { begin } from "../../lib/page";
import Page from "./Page.svelte";

begin(Page);
