//! The API from outside: played, described, and attacked.

mod api_bulk;
mod api_coach;
mod api_docs;
mod api_feed;
mod api_lab;
mod api_pages;
mod api_play;
mod api_views;
mod auth_hostile;
mod auth_session;
mod auth_trust;
mod beside_log;
mod leak;
mod matrix;
mod ops_first;
mod ops_http;
mod ops_leaving;
mod ops_nodes;
mod ops_serve;
mod ops_slow;
mod ops_tls;
mod put_back;
mod second_factor;
mod support;
mod trail;
mod witness;
