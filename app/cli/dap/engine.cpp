#include "app/cli/dap/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace et::cli::dap {

core::Result<JsonText> Engine::ask(std::string_view line) {
    const auto isControl = [](char each) { return std::iscntrl(static_cast<unsigned char>(each)) != 0; };
    if (std::ranges::any_of(line, isControl)) {
        return core::fail(core::ErrorCode::InvalidArgument, "expected one line without control characters");
    }
    constexpr std::size_t longest = std::size_t{16} << 10;
    if (line.size() > longest) {
        return core::fail(core::ErrorCode::Limit, fmt::format("expected at most {} bytes", longest));
    }
    ET_ASSIGN(const std::string answer, exchange(line));
    ET_ASSIGN(JsonText parsed, JsonText::parse(answer));
    if (const JsonValue error = parsed["error"]) {
        return core::fail(core::ErrorCode::InvalidArgument, error["message"].text("unknown error"));
    }
    return parsed;
}

}  // namespace et::cli::dap
