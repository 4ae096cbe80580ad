//! Courses: exercises that somebody wrote. The file comes with each request, so nothing is stored, and the engine answers.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use school::{Course, Exercise, Given, Marking};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wrong;
use crate::api::body::JsonBody;
use crate::app::App;
use crate::auth::guard::Visitor;
use crate::problem::Problem;

/// A course as it was written.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct CourseForm {
    /// The text of the file.
    course: String,
}

/// The answers to an exercise of a course.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::api) struct CourseAnswers {
    /// The text of the file.
    course: String,
    /// Which exercise, from zero.
    exercise: usize,
    answers: Vec<Given>,
}

/// A course as learners see it.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct CourseShown {
    title: String,
    /// The rulebook's id.
    rulebook: String,
    exercises: Vec<Exercise>,
}

/// Checks a course and shows its exercises, without their answers.
#[utoipa::path(post, path = "/api/drill/course", tag = "drill",
    request_body(content = CourseForm, example = json!({ "course":
        "title = \"Payouts\"\nbook = \"MTHB9\"\n[[exercise]]\nkind = \"pay-the-table\"\nseed = 1\n" })),
    responses((status = 200, description = "The course", body = CourseShown),
        (status = 422, description = "Something in the file is wrong: its line and field", body = Problem,
            content_type = "application/problem+json")))]
pub(in crate::api) async fn preview(
    State(app): State<App>,
    asked: JsonBody<CourseForm>,
) -> Result<Json<CourseShown>, Problem> {
    let course = read(&app, asked.form.course).await?;
    let exercises = course.drills.iter().map(|(_, drill)| drill.exercise().clone()).collect();
    Ok(Json(CourseShown { title: course.title, rulebook: course.book.id.clone(), exercises }))
}

/// Marks the answers to an exercise of a course.
#[utoipa::path(post, path = "/api/drill/course/mark", tag = "drill", request_body = CourseAnswers,
    responses((status = 200, description = "The marking", body = Marking),
        (status = 409, description = "An examination is being taken", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "Something in the file or the answers is wrong", body = Problem,
            content_type = "application/problem+json")))]
pub(in crate::api) async fn mark_course(
    State(app): State<App>,
    who: Visitor,
    asked: JsonBody<CourseAnswers>,
) -> Result<Json<Marking>, Problem> {
    app.school.check_nobody_asks_for_answers(who.signed_in.as_ref().map(|(_, actor)| actor))?;
    let form = asked.form;
    let course = read(&app, form.course).await?;
    let (_, drill) =
        course.drills.get(form.exercise).ok_or_else(|| wrong("the course has no such exercise"))?;
    drill.mark(&form.answers).map(Json).map_err(|error| wrong(&error.to_string()))
}

async fn read(app: &App, text: String) -> Result<Course, Problem> {
    let books: Vec<_> = app.library().iter().cloned().collect();
    let work = move |_: &lab::exact::Lab| {
        Course::parse(&text, &books).map_err(|error| {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Problem::new(status, "CourseIsWrong", format!("The course cannot be used: {error}."))
                .at(format!("line {}", error.line))
        })
    };
    app.work.lab.soon(work).await
}
