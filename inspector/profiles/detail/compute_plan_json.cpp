#include "inspector/profiles/detail/operator_list.h"
#include "inspector/profiles/detail/readers.h"
#include "runtime/archive/json.h"

#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <utility>

// A list of operations, alone or as the member "operations". Core ML has no file format of its own for
// MLComputePlan; the members have the names of its API in Swift, Objective-C or coremltools.
namespace et::inspector::profiles::detail {
namespace {

using archive::JsonDocument;
using archive::JsonValue;
using core::Result;

constexpr std::string_view operationsMember = "operations";
constexpr std::array<std::string_view, 2> operatorNames{"operatorName", "operator_name"};
constexpr std::array<std::string_view, 4> outputNames{"outputNames", "output_names", "outputs", "name"};
constexpr std::array<std::string_view, 4> costNames{"estimatedCost", "estimated_cost", "cost", "weight"};

std::optional<JsonValue> findAny(const JsonValue& object, std::span<const std::string_view> names) {
    for (const std::string_view name : names) {
        if (auto found = object.find(name)) {
            return found;
        }
    }
    return std::nullopt;
}

/// The text of a string, or of the first element or the name of a list or object.
std::optional<std::string> nameIn(const JsonValue& value) {
    if (value.isString()) {
        return std::string(value.string().value_or(""));
    }
    if (value.isObject()) {
        const auto name = value.find("name");
        return name && name->isString() ? std::optional(std::string(name->string().value_or("")))
                                        : std::nullopt;
    }
    std::optional<std::string> first;
    if (value.isArray()) {
        std::ignore = value.forEach([&](const JsonValue& each) -> Result<> {
            if (!first && !each.isArray()) {
                first = nameIn(each);
            }
            return {};
        });
    }
    return first;
}

Result<std::optional<double>> costOf(const JsonValue& operation) {
    auto cost = findAny(operation, costNames);
    if (!cost) {
        return std::nullopt;
    }
    const auto weight = cost->isObject() ? cost->find("weight") : cost;
    if (!weight) {
        return std::nullopt;
    }
    ET_ASSIGN(const double share, weight->number());
    if (!std::isfinite(share) || share < 0 || share > 1) {
        return weight->unexpected("a share from 0 to 1");
    }
    return share;
}

Result<> takeOperation(const JsonValue& operation, OperatorList& operators) {
    const auto kind = findAny(operation, operatorNames);
    if (!kind) {
        return operation.unexpected("an object with \"operatorName\"");
    }
    ET_ASSIGN(const std::string_view op, kind->string());
    const auto outputs = findAny(operation, outputNames);
    const std::optional<std::string> output = outputs ? nameIn(*outputs) : std::nullopt;
    ET_ASSIGN(ProfiledOperator * added, operators.add(output ? std::string_view(*output) : op));
    ET_ASSIGN(const auto cost, costOf(operation));
    if (cost) {
        ET_TRY(operators.addTime(*added, *cost));
    }
    return addMembers(operation, {}, *added);
}

}  // namespace

bool isComputePlanJson(std::string_view text) {
    constexpr std::size_t searched = 4096;
    const std::string_view start = text.substr(0, searched);
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    const bool isPlan = first != std::string_view::npos && (start[first] == '[' || start[first] == '{');
    return isPlan && (start.contains("\"operatorName\"") || start.contains("\"operator_name\""));
}

Result<VendorProfile> readComputePlanJson(core::Bytes bytes) {
    ET_ASSIGN(const JsonDocument document, JsonDocument::parse(bytes, "$"));
    const JsonValue root = document.root();
    OperatorList operators;
    const auto take = [&](const JsonValue& operation) { return takeOperation(operation, operators); };
    if (root.isArray()) {
        ET_TRY(root.forEach(take));
    } else {
        ET_ASSIGN(const JsonValue list, root.member(operationsMember));
        ET_TRY(list.forEach(take));
    }
    return VendorProfile{.tool = "Core ML compute plan",
                         .backends = {"CoreMLBackend"},
                         .unit = ProfileUnit::Share,
                         .operators = std::move(operators).take()};
}

}  // namespace et::inspector::profiles::detail
