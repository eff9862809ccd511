#include "app/tasks/train/checkpoint.h"

#include "app/tasks/base/output_file.h"
#include "runtime/builder/tensor_data_writer.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/tensor_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace et::tasks {
namespace {

using core::Result;

program::TensorLayout layoutOf(const core::Tensor& tensor) {
    return {.scalarType = static_cast<std::int8_t>(tensor.dtype()),
            .sizes = {tensor.sizes().begin(), tensor.sizes().end()},
            .dimOrder = {tensor.dimOrder().begin(), tensor.dimOrder().end()},
            .byteSize = static_cast<std::int64_t>(tensor.bytes())};
}

std::string layoutText(const program::TensorLayout& layout) {
    return fmt::format("{} {}", core::scalarTypeName(layout.scalarType), core::sizesText(layout.sizes));
}

Result<> setParameter(std::string_view name, const program::TensorDataEntry* entry, core::Tensor& parameter) {
    const program::TensorLayout expected = layoutOf(parameter);
    if (entry == nullptr) {
        return core::fail(core::ErrorCode::Mismatch,
                          fmt::format("expected the parameter \"{}\", {}: this file belongs to another model",
                                      core::printable(name), layoutText(expected)));
    }
    const auto& given = entry->layout;
    const bool isSame = given && given->scalarType == expected.scalarType && given->sizes == expected.sizes &&
                        given->dimOrder == expected.dimOrder && entry->data.size() >= parameter.bytes();
    if (!isSame) {
        return core::fail(
            core::ErrorCode::Mismatch,
            fmt::format("\"{}\": expected {}, got {}", core::printable(name), layoutText(expected),
                        given ? layoutText(*given) : "bytes without a layout"));
    }
    std::memcpy(parameter.raw(), entry->data.data(), parameter.bytes());
    return {};
}

}  // namespace

Result<std::vector<core::Tensor*>> parametersOf(const program::TrainingMethod& training,
                                                executor::Method& method) {
    std::vector<core::Tensor*> parameters;
    for (const program::TrainedParameter& each : training.parameters) {
        auto* const tensor = method.output(each.parameter).as<core::Tensor>();
        if (tensor == nullptr || tensor->isConstant() || tensor->raw() == nullptr) {
            return core::fail(
                core::ErrorCode::Unsupported,
                fmt::format("the parameter \"{}\" is a constant of the program and cannot be trained",
                            core::printable(each.name)));
        }
        parameters.push_back(tensor);
    }
    return parameters;
}

Result<> writeCheckpoint(const std::filesystem::path& path, const program::TrainingMethod& training,
                         const std::vector<core::Tensor*>& parameters) {
    std::vector<program::TensorDataEntry> entries;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        entries.push_back({.name = training.parameters[i].name,
                           .segment = {},
                           .data = parameters[i]->rawBytes(),
                           .layout = layoutOf(*parameters[i])});
    }
    ET_ASSIGN(const core::FileContent file, builder::tensorDataFile(entries));
    return writeFile(path, file);
}

Result<std::size_t> readCheckpoint(const std::filesystem::path& path, const program::TrainingMethod& training,
                                   const std::vector<core::Tensor*>& parameters) {
    ET_ASSIGN(const auto data, program::TensorData::open(path));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string_view name = training.parameters[i].name;
        if (auto set = setParameter(name, data->find(name), *parameters[i]); !set) {
            return std::unexpected(std::move(set).error().in(path.string()));
        }
    }
    return static_cast<std::size_t>(
        std::ranges::count_if(data->entries, [&](const program::TensorDataEntry& entry) {
            return !std::ranges::contains(training.parameters, entry.name, &program::TrainedParameter::name);
        }));
}

}  // namespace et::tasks
