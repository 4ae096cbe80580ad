//! What holds for many routes, added to the description of each: the headers they take, and the problems they may give.

use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Required, Response, ResponseBuilder};

/// Whoever may ask without being signed in, by path and method.
const OPEN: [&str; 36] = [
    "post /api/session",
    "get /api/session",
    "post /api/session/guest",
    "post /api/invitations/{token}",
    "get /api/lobby",
    "get /api/tables/{table}",
    "get /api/tables/{table}/rounds",
    "get /api/tables/{table}/rounds/{round}",
    "get /api/links/{link}",
    "get /api/feed",
    "get /api/streams/{kind}/{name}/feed",
    "get /api/streams/house/feed",
    "get /api/rulebooks",
    "get /api/rulebooks/{rulebook}",
    "get /api/rulebooks/{rulebook}/readings",
    "post /api/lab/exact",
    "post /api/lab/advise",
    "post /api/lab/strategy",
    "post /api/lab/chart",
    "post /api/lab/rules",
    "post /api/lab/what-if",
    "post /api/lab/curve",
    "post /api/lab/session",
    "post /api/lab/simulate",
    "get /api/lab/par",
    "post /api/shuffles/verify",
    "get /api/drill/exercise",
    "post /api/drill/mark",
    "get /api/drill/examination",
    "post /api/drill/examination",
    "post /api/drill/certificate",
    "post /api/drill/course",
    "post /api/drill/course/mark",
    "get /api/train/decision",
    "post /api/train/mark",
    "get /api/train/lessons",
];

/// What takes a command, and so a key.
const COMMANDS: [&str; 4] =
    ["/api/tables/{table}/commands", "/api/links/{link}/commands", "/api/house/commands", "/api/devices"];

/// Whether anybody may ask, signed in or not.
fn is_open(method: &str, path: &str) -> bool {
    OPEN.contains(&format!("{method} {path}").as_str())
}

/// Completes the description of every route of the API.
pub(super) fn complete(description: &mut OpenApi) {
    let components = description.components.get_or_insert_with(Default::default);
    let mut bearer = Http::new(HttpAuthScheme::Bearer);
    bearer.description = Some("The token that signing in answers with".to_owned());
    components.add_security_scheme("token", SecurityScheme::Http(bearer));
    for (path, item) in &mut description.paths.paths {
        if !path.starts_with("/api/") {
            continue;
        }
        let operations = [
            (HttpMethod::Get, &mut item.get),
            (HttpMethod::Post, &mut item.post),
            (HttpMethod::Delete, &mut item.delete),
        ];
        for (method, operation) in operations {
            if let Some(operation) = operation {
                complete_one(path, &method, operation);
            }
        }
    }
}

fn complete_one(path: &str, method: &HttpMethod, operation: &mut Operation) {
    let name = match method {
        HttpMethod::Post => "post",
        HttpMethod::Delete => "delete",
        _ => "get",
    };
    let changes = name != "get";
    problem(operation, "429", "Too many requests: wait as `Retry-After` says");
    problem(operation, "503", "Not available now: wait as `Retry-After` says, then retry with the same key");
    problem(operation, "500", "Something broke; it has been noted");
    if !is_open(name, path) {
        operation.security = Some(vec![SecurityRequirement::new("token", Vec::<String>::new())]);
        problem(operation, "401", "Nobody is signed in");
        problem(operation, "403", "This is for others, or the password must be repeated first");
    }
    if path.contains('{') {
        problem(operation, "404", "There is no such thing");
    }
    if operation
        .parameters
        .iter()
        .flatten()
        .any(|parameter| matches!(parameter, RefOr::T(own) if own.parameter_in == ParameterIn::Query))
    {
        problem(operation, "400", "The query cannot be read");
        problem(operation, "404", "There is no such thing");
    }
    if path == "/api/feed" {
        problem(operation, "403", "The page is from elsewhere");
    }
    if changes {
        header(operation, "X-Megalink", "`1`: no page of another origin can send it", string("1"));
        problem(operation, "403", "The header X-Megalink is missing, or the page is from elsewhere");
    }
    if operation.request_body.is_some() {
        problem(operation, "400", "The body is not JSON, or a header is missing");
        problem(operation, "404", "There is no such thing");
        problem(operation, "408", "The body took too long to arrive");
        problem(operation, "409", "The rules refuse it: the reason and its clause are named");
        problem(operation, "413", "The body is too long");
        problem(operation, "415", "The body is of another type");
        problem(operation, "422", "The body is JSON and not what is asked for; `at` names the field");
    }
    if changes && COMMANDS.contains(&path) {
        let about = "A UUID of your own: a retry with it gets the first answer";
        let format = SchemaFormat::Custom("uuid".to_owned());
        header(
            operation,
            "Idempotency-Key",
            about,
            ObjectBuilder::new().schema_type(Type::String).format(Some(format)),
        );
    }
}

fn string(value: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some([value]))
}

fn header(operation: &mut Operation, name: &str, about: &str, schema: ObjectBuilder) {
    let parameter: Parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .description(Some(about))
        .schema(Some(schema))
        .build();
    operation.parameters.get_or_insert_with(Vec::new).push(RefOr::T(parameter));
}

/// Adds a problem that a route may give, unless it says more of it itself.
fn problem(operation: &mut Operation, status: &str, about: &str) {
    if operation.responses.responses.contains_key(status) {
        return;
    }
    let content = Content::new(Some(RefOr::Ref(Ref::from_schema_name("Problem"))));
    let response: Response =
        ResponseBuilder::new().description(about).content("application/problem+json", content).build();
    operation.responses.responses.insert(status.to_owned(), RefOr::T(response));
}
