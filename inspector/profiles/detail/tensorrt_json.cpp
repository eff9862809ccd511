#include "inspector/profiles/detail/operator_list.h"
#include "inspector/profiles/detail/readers.h"
#include "runtime/archive/json.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

// Times: a list whose first element is the number of iterations; each other element is a layer with the sum,
// the average and the median of its times. Properties: an object with the list "Layers" of names or objects.
namespace et::inspector::profiles::detail {
namespace {

using archive::JsonDocument;
using archive::JsonValue;
using core::Result;

constexpr double nanosecondsPerMillisecond = 1e6;
constexpr std::string_view rootName = "$";

Result<double> timeOf(const JsonValue& value) {
    ET_ASSIGN(const double time, value.number());
    if (!std::isfinite(time) || time < 0) {
        return value.unexpected("a time that is not negative");
    }
    return time;
}

/// The time of one iteration in milliseconds.
Result<double> iterationTime(const JsonValue& layer, double iterations) {
    if (const auto average = layer.find("averageMs")) {
        return timeOf(*average);
    }
    ET_ASSIGN(const JsonValue total, layer.member("timeMs"));
    ET_ASSIGN(const double time, timeOf(total));
    return iterations > 0 ? time / iterations : time;
}

Result<> addTimes(const JsonValue& list, OperatorList& operators) {
    double iterations = 0;
    return list.forEach([&](const JsonValue& element) -> Result<> {
        const auto name = element.find("name");
        if (const auto count = element.find("count"); count && !name) {
            ET_ASSIGN(iterations, timeOf(*count));
            return {};
        }
        ET_ASSIGN(const JsonValue named, element.member("name"));
        ET_ASSIGN(const std::string_view text, named.string());
        ET_ASSIGN(ProfiledOperator * layer, operators.add(text));
        ET_ASSIGN(const double time, iterationTime(element, iterations));
        ET_TRY(operators.addTime(*layer, time * nanosecondsPerMillisecond));
        return addMembers(element, "name", *layer);
    });
}

Result<> addLayers(const JsonValue& list, OperatorList& operators) {
    return list.forEach([&](const JsonValue& element) -> Result<> {
        if (element.isString()) {
            ET_ASSIGN(const std::string_view name, element.string());
            return operators.add(name).transform([](const auto*) {});
        }
        ET_ASSIGN(const JsonValue named, element.member("Name"));
        ET_ASSIGN(const std::string_view name, named.string());
        ET_ASSIGN(ProfiledOperator * layer, operators.add(name));
        return addMembers(element, "Name", *layer);
    });
}

std::string_view withoutSpaces(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

}  // namespace

bool isTensorRtJson(std::string_view text) {
    constexpr std::size_t searched = 4096;
    const std::string_view start = withoutSpaces(text).substr(0, searched);
    return (start.starts_with('[') && (start.contains("\"averageMs\"") || start.contains("\"timeMs\""))) ||
           (start.starts_with('{') && withoutSpaces(start.substr(1)).starts_with("\"Layers\""));
}

Result<VendorProfile> readTensorRtJson(core::Bytes bytes) {
    ET_ASSIGN(const JsonDocument document, JsonDocument::parse(bytes, rootName));
    const JsonValue root = document.root();
    OperatorList operators;
    if (root.isArray()) {
        ET_TRY(addTimes(root, operators));
    } else {
        ET_ASSIGN(const JsonValue layers, root.member("Layers"));
        ET_TRY(addLayers(layers, operators));
    }
    return VendorProfile{.tool = "TensorRT profile",
                         .backends = {"TensorRTBackend"},
                         .operators = std::move(operators).take()};
}

}  // namespace et::inspector::profiles::detail
