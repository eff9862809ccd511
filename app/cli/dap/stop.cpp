#include "app/cli/dap/stop.h"

#include <fmt/format.h>

namespace et::cli::dap {

std::optional<SourceLine> readSource(const JsonValue& source) {
    const auto line = source["line"].integer();
    if (!line) {
        return std::nullopt;
    }
    return SourceLine{.file = source["file"].text(), .line = *line};
}

Stop Stop::read(const JsonValue& stop) {
    Stop read{.reason = stop["reason"].text(),
              .message = stop["message"].text(),
              .execution = stop["execution"].integer().value_or(0),
              .instruction = stop["instruction"].integer().value_or(0),
              .node = stop["node"].integer(),
              .op = stop["operator"].text(),
              .source = readSource(stop["source"]),
              .stack = {},
              .breakpoint = stop["breakpoint"].integer(),
              .watchpoint = stop["watchpoint"].integer()};
    for (const JsonValue& frame : stop["stack"].items()) {
        if (auto source = readSource(frame)) {
            read.stack.push_back({.source = *std::move(source), .function = frame["function"].text()});
        }
    }
    return read;
}

std::string Stop::place() const {
    if (reason == "end") {
        return fmt::format("end of execution {}", execution);
    }
    std::string text = fmt::format("instruction {}", instruction);
    text += node ? fmt::format(", node {}", *node) : "";
    text += execution > 0 ? fmt::format(" of execution {}", execution) : "";
    return op.empty() ? text : text + ": " + op;
}

}  // namespace et::cli::dap
