#include "app/tasks/shapes/shape_report.h"

#include "inspector/format/json_text.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using inspector::format::Dict;
using inspector::format::List;
using simdjson::dom::element;

constexpr std::array<std::string_view, 4> shapeEndNames{"ran", "refused", "crashed", "timed out"};
constexpr std::int64_t shapeReportSchema = 1;

/// Fields for reading and writing, in one table per type.
template <class Owner, class T>
struct Field {
    std::string_view key;
    T Owner::* member;
};
constexpr std::array reportTexts{
    Field<ShapeReport, std::string>{"message", &ShapeReport::message},
    Field<ShapeReport, std::string>{"no_reference", &ShapeReport::noReference},
    Field<ShapeReport, std::string>{"reference_refused", &ShapeReport::referenceRefused},
    Field<ShapeReport, std::string>{"unwritten", &ShapeReport::unwritten},
    Field<ShapeReport, std::string>{"remembers", &ShapeReport::remembers},
    Field<ShapeReport, std::string>{"culprit", &ShapeReport::culprit},
};
constexpr std::array memoryBytes{
    Field<ShapeMemory, std::uint64_t>{"planned", &ShapeMemory::planned},
    Field<ShapeMemory, std::uint64_t>{"growing", &ShapeMemory::growing},
    Field<ShapeMemory, std::uint64_t>{"temporary", &ShapeMemory::temporary},
    Field<ShapeMemory, std::uint64_t>{"workspace", &ShapeMemory::workspace},
};
constexpr std::array outputLists{
    Field<ShapeOutput, std::vector<std::int64_t>>{"sizes", &ShapeOutput::sizes},
    Field<ShapeOutput, std::vector<std::int64_t>>{"reference_sizes", &ShapeOutput::referenceSizes},
    Field<ShapeOutput, std::vector<std::int64_t>>{"first", &ShapeOutput::first},
};
constexpr std::array outputCounts{
    Field<ShapeOutput, std::uint64_t>{"elements", &ShapeOutput::elements},
    Field<ShapeOutput, std::uint64_t>{"beyond", &ShapeOutput::beyond},
    Field<ShapeOutput, std::uint64_t>{"non_finite", &ShapeOutput::nonFinite},
};
constexpr std::array outputNumbers{
    Field<ShapeOutput, double>{"max_error", &ShapeOutput::maxError},
    Field<ShapeOutput, double>{"magnitude", &ShapeOutput::magnitude},
    Field<ShapeOutput, double>{"tolerance", &ShapeOutput::tolerance},
};

template <class Fields, class Owner>
void write(Dict& out, const Fields& fields, const Owner& owner) {
    for (const auto& field : fields) {
        out.emplace_back(std::string(field.key), owner.*field.member);
    }
}

/// Also accepts a number that JSON wrote without a decimal point.
simdjson::error_code read(const element& json, double& into) {
    return json.get_double().get(into);
}
simdjson::error_code read(const element& json, std::uint64_t& into) {
    return json.get_uint64().get(into);
}
simdjson::error_code read(const element& json, std::string& into) {
    std::string_view text;
    const auto error = json.get_string().get(text);
    into = text;
    return error;
}
template <class T>
simdjson::error_code read(const element& json, std::vector<T>& into) {
    simdjson::dom::array items;
    if (const auto error = json.get_array().get(items)) {
        return error;
    }
    for (const element item : items) {
        T value = 0;
        if (const auto error = item.get<T>().get(value)) {
            return error;
        }
        into.push_back(value);
    }
    return simdjson::SUCCESS;
}

/// Returns false if a field is missing or has another type.
template <class Fields, class Owner>
bool read(const element& json, const Fields& fields, Owner& owner) {
    return std::ranges::all_of(fields, [&](const auto& field) {
        element value;
        return json[field.key].get(value) == simdjson::SUCCESS &&
               read(value, owner.*field.member) == simdjson::SUCCESS;
    });
}

Dict memoryInfo(const ShapeMemory& memory) {
    Dict out;
    write(out, memoryBytes, memory);
    out.emplace_back("temporary_by", memory.temporaryBy);
    out.emplace_back("workspaces", memory.workspaces);
    return out;
}

bool readMemory(const element& json, ShapeMemory& memory) {
    element list;
    element name;
    return read(json, memoryBytes, memory) && json["workspaces"].get(list) == simdjson::SUCCESS &&
           read(list, memory.workspaces) == simdjson::SUCCESS &&
           json["temporary_by"].get(name) == simdjson::SUCCESS &&
           read(name, memory.temporaryBy) == simdjson::SUCCESS;
}

bool readOutputs(const element& json, std::vector<ShapeOutput>& outputs) {
    simdjson::dom::array items;
    if (json.get_array().get(items) != simdjson::SUCCESS) {
        return false;
    }
    for (const element item : items) {
        ShapeOutput& output = outputs.emplace_back();
        if (!read(item, outputLists, output) || !read(item, outputCounts, output) ||
            !read(item, outputNumbers, output)) {
            return false;
        }
    }
    return true;
}

bool readReport(const element& json, ShapeReport& report) {
    std::string_view end;
    element outputs;
    element memory;
    if (json["end"].get(end) != simdjson::SUCCESS || json["outputs"].get(outputs) != simdjson::SUCCESS ||
        json["memory"].get(memory) != simdjson::SUCCESS) {
        return false;
    }
    const auto* const name = std::ranges::find(shapeEndNames, end);
    if (name == shapeEndNames.end()) {
        return false;
    }
    report.end = static_cast<ShapeEnd>(name - shapeEndNames.begin());
    return read(json, reportTexts, report) && readOutputs(outputs, report.outputs) &&
           readMemory(memory, report.memory) &&
           json["nanoseconds"].get(report.nanoseconds) == simdjson::SUCCESS;
}

}  // namespace

std::string_view shapeEndName(ShapeEnd end) {
    return shapeEndNames[static_cast<std::size_t>(end)];
}

std::string shapeReportJson(const ShapeReport& report) {
    Dict out{{"end", std::string(shapeEndName(report.end))}};
    write(out, reportTexts, report);
    List outputs;
    for (const ShapeOutput& each : report.outputs) {
        Dict output;
        write(output, outputLists, each);
        write(output, outputCounts, each);
        write(output, outputNumbers, each);
        outputs.emplace_back(std::move(output));
    }
    out.emplace_back("outputs", std::move(outputs));
    out.emplace_back("memory", memoryInfo(report.memory));
    out.emplace_back("nanoseconds", report.nanoseconds);
    return inspector::format::jsonDocument(shapeReportSchema, std::move(out));
}

Result<ShapeReport> readShapeReport(std::string_view json) {
    simdjson::dom::parser parser;
    element root;
    ShapeReport report;
    std::int64_t schema = 0;
    if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS ||
        root["schema"].get(schema) != simdjson::SUCCESS || schema != shapeReportSchema ||
        !readReport(root, report)) {
        return core::fail(core::ErrorCode::Format, "a process did not report its run");
    }
    return report;
}

}  // namespace et::tasks
