#include "inspector/explain/log_facts.h"

#include "inspector/fit/error_codes.h"
#include "inspector/fit/release_operators.h"
#include "runtime/core/release.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>

namespace et::inspector {
namespace {

std::optional<std::uint64_t> integerOf(const Facts& facts, std::string_view name) {
    const auto found = facts.find(name);
    if (found == facts.end()) {
        return std::nullopt;
    }
    const std::string& text = found->second;
    std::uint64_t value = 0;
    const char* const end = std::to_address(text.end());
    const auto [at, error] = std::from_chars(std::to_address(text.begin()), end, value);
    return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
}

std::string rangeText(const core::ReleaseRange& range) {
    if (range.first == range.last) {
        return std::string(core::name(range.first));
    }
    return range.last == core::Release::Newest
               ? fmt::format("{} and later", core::name(range.first))
               : fmt::format("{} to {}", core::name(range.first), core::name(range.last));
}

/// "op.library" (none: in no release), "op.releases", "op.since", "op.namespace", "op.origin".
void addOperator(Facts& facts) {
    const auto op = facts.find("op");
    if (op == facts.end()) {
        return;
    }
    const std::string name = op->second;
    const std::size_t colons = name.find("::");
    facts.insert_or_assign("op.namespace", name.substr(0, colons == std::string::npos ? 0 : colons));
    if (const std::string_view origin = namespaceOrigin(name); !origin.empty()) {
        facts.insert_or_assign("op.origin", std::string(origin));
    }
    const auto released = findReleasedOperator(name);
    facts.insert_or_assign("op.library", released ? std::string(inspector::name(released->library)) : "none");
    if (released) {
        facts.insert_or_assign("op.releases", rangeText(released->releases));
        facts.insert_or_assign("op.since", std::string(core::name(released->releases.first)));
    }
}

/// Names of dtypes that a message prints as numbers.
void addDtypes(Facts& facts) {
    constexpr std::pair<std::string_view, std::string_view> numbers[] = {
        {"dtypeId", "dtype"}, {"expectedId", "expected"}, {"actualId", "actual"}};
    for (const auto& [number, word] : numbers) {
        const auto id = integerOf(facts, number);
        if (id && *id < 128) {
            const std::optional<core::ScalarTypeInfo> known = core::scalarType(static_cast<std::int8_t>(*id));
            facts.try_emplace(std::string(word),
                              known ? std::string(known->torchName) : fmt::format("dtype {}", *id));
        }
    }
}

/// "op_mean.cpp" belongs to the kernel "mean".
void addKernel(Facts& facts) {
    const auto source = facts.find("source");
    constexpr std::string_view start = "op_";
    constexpr std::string_view end = ".cpp";
    if (source == facts.end() || !source->second.starts_with(start)) {
        return;
    }
    std::string name = source->second.substr(start.size());
    if (name.ends_with(end)) {
        name.resize(name.size() - end.size());
    }
    facts.try_emplace("kernel", name);
}

void addCodeName(Facts& facts) {
    const auto code = facts.find("code");
    if (code == facts.end()) {
        return;
    }
    for (const ErrorCodeInfo& each : errorCodes()) {
        if (code->second == fmt::format("{:#x}", each.code)) {
            facts.insert_or_assign("code.name", std::string(each.name));
            facts.insert_or_assign("code.meaning", std::string(each.meaning));
        }
    }
}

void addDifference(Facts& facts, std::string_view larger, std::string_view smaller, std::string_view result) {
    const auto need = integerOf(facts, larger);
    const auto have = integerOf(facts, smaller);
    if (need && have && *need > *have) {
        facts.try_emplace(std::string(result), std::to_string(*need - *have));
    }
}

constexpr std::array<std::string_view, 15> derivedNames{
    "op.namespace", "op.origin", "op.library",   "op.releases", "op.since", "dtype",  "expected", "actual",
    "kernel",       "code.name", "code.meaning", "missing",     "unknown",  "source", "ops.count"};

}  // namespace

std::span<const std::string_view> derivedFacts() {
    return derivedNames;
}

void addDerivedFacts(Facts& facts) {
    addOperator(facts);
    addDtypes(facts);
    addKernel(facts);
    addCodeName(facts);
    addDifference(facts, "need", "have", "missing");
}

}  // namespace et::inspector
