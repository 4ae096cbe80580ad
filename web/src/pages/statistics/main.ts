import { startPage } from "../../lib/page";
import Page from "./Page.svelte";

startPage(Page);
