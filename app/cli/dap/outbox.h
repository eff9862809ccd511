#pragma once

#include "app/cli/dap/json_value.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace et::cli::dap {

using inspector::format::Dict;
using inspector::format::List;

/// A request of the client. Borrows from its text.
struct Request {
    std::int64_t number = 0;  ///< "seq"
    std::string command;
    JsonValue arguments;
};

/// Sends responses and events to the client, numbered in order.
class Outbox {
  public:
    /// `send` is called with each message, without header.
    explicit Outbox(std::function<void(std::string_view json)> send) : sends(std::move(send)) {}

    void respond(const Request& request, Dict body = {});
    /// Reports that the request failed; the client shows `message`.
    void refuse(const Request& request, std::string message);
    void event(std::string_view name, Dict body = {});
    /// An event "output". `category`: "console", "stdout", "stderr".
    void output(std::string_view category, std::string text);

  private:
    void sendAs(std::string_view type, Dict message);

    std::function<void(std::string_view)> sends;
    std::int64_t sent = 0;
};

}  // namespace et::cli::dap
