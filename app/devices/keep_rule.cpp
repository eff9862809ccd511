#include "app/devices/keep_rule.h"

#include "app/expression/expression.h"

#include <fmt/format.h>

#include <string>

namespace et::devices {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using expression::ValueVersion;

/// Names of a finished run: see RunScope of the agent.
bool isNameOfRun(std::string_view name) {
    return name == "time" || name == "instructions" || expression::elementIndex(name, "out");
}

Result<> checkNames(const expression::Expression& condition) {
    if (condition.reads(ValueVersion::Reference) || condition.reads(ValueVersion::Previous)) {
        return fail(ErrorCode::InvalidArgument, "a run has neither a reference nor previous values");
    }
    for (const std::string& name : condition.names()) {
        if (!isNameOfRun(name)) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected time, instructions, out or out0, got '{}'", name));
        }
    }
    return {};
}

}  // namespace

Result<wire::KeepRule> parseKeepRule(std::string_view text, std::uint32_t last) {
    if (text.empty()) {
        return wire::KeepRule{};
    }
    const auto checked = expression::Expression::parse(text).and_then(&checkNames);
    if (!checked) {
        return fail(ErrorCode::InvalidArgument, fmt::format("--keep-if: {}", checked.error().message));
    }
    return wire::KeepRule{.condition = std::string(text), .last = last};
}

}  // namespace et::devices
