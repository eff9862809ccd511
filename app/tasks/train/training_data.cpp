#include "app/tasks/train/training_data.h"

#include "inspector/tensor_files/tensor_file.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;
using inspector::HostTensor;

std::string typeText(std::int8_t scalarType, std::span<const std::int64_t> sizes) {
    return fmt::format("{} {}", core::scalarTypeName(scalarType), core::sizesText(sizes));
}

std::unexpected<core::Error> wrongColumn(std::size_t input, const program::TensorInfo& expected,
                                         const HostTensor& given) {
    return core::fail(
        core::ErrorCode::InvalidArgument,
        fmt::format("expected rows for {}, got {}", typeText(expected.scalarType, expected.sizes),
                    typeText(static_cast<std::int8_t>(given.dtype), given.sizes)),
        {.file = {}, .field = fmt::format("inputs[{}]", input), .offset = {}});
}

/// Whether all values of --input are files.
bool areFiles(const std::vector<std::string>& values) {
    std::error_code unknown;
    return !values.empty() && std::ranges::all_of(values, [&](const std::string& value) {
        return std::filesystem::is_regular_file(value, unknown);
    });
}

}  // namespace

Result<TrainingData> TrainingData::open(const Model& model, const ModelOptions& options,
                                        const std::function<void(std::string_view)>& note) {
    TrainingData data;
    const program::Method& method = model.method->description();
    if (areFiles(options.inputs)) {
        ET_TRY(data.addColumns(method, options, model.limits.memoryBytes));
        if (data.unusedRows > 0) {
            note(fmt::format("the last {} rows are not used: they do not fill a batch", data.unusedRows));
        }
        return data;
    }
    if (options.inputs.empty() && model.bundle != nullptr && !options.testCase) {
        constexpr std::size_t mostCases = 4096;
        ET_ASSIGN(data.sets, caseInputs(model.bundle.get(), method.name, mostCases));
    }
    if (data.sets.empty()) {
        ET_ASSIGN(InputSet inputs, model.inputs(options, note));
        data.sets.push_back(std::move(inputs));
    }
    data.batchCount = data.sets.size();
    return data;
}

Result<> TrainingData::addColumns(const program::Method& method, const ModelOptions& options,
                                  std::uint64_t maxBytes) {
    std::vector<HostTensor> tensors;
    for (const std::string& path : options.inputs) {
        ET_ASSIGN(std::vector<HostTensor> read, inspector::readTensorFile(path, std::nullopt, maxBytes));
        std::ranges::move(read, std::back_inserter(tensors));
    }
    if (tensors.size() != method.inputs.size()) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            fmt::format("expected {} tensors in the files of --input, one for each input, got {}",
                        method.inputs.size(), tensors.size()));
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        ET_ASSIGN(Column column, columnOf(method, i, std::move(tensors[i])));
        columns.push_back(std::move(column));
    }
    return countBatches();
}

Result<TrainingData::Column> TrainingData::columnOf(const program::Method& method, std::size_t input,
                                                    HostTensor tensor) {
    const auto* const expected = method.value(method.inputs[input]).as<program::TensorInfo>();
    if (expected == nullptr) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("expected tensors as inputs, got {} as input {}",
                                      program::valueTypeName(method.value(method.inputs[input])), input));
    }
    Column column{.tensor = std::move(tensor), .sizes = expected->sizes};
    const std::vector<std::int64_t>& given = column.tensor.sizes;
    const std::span wanted(expected->sizes);
    if (!column.tensor.dimOrder.empty()) {
        return core::fail(core::ErrorCode::Unsupported, "expected a row-major array (C order)",
                          {.file = {}, .field = fmt::format("inputs[{}]", input), .offset = {}});
    }
    if (static_cast<std::int8_t>(column.tensor.dtype) != expected->scalarType) {
        return wrongColumn(input, *expected, column.tensor);
    }
    if (std::ranges::equal(given, wanted)) {
        return column;
    }
    if (given.size() == wanted.size() + 1 && std::ranges::equal(std::span(given).subspan(1), wanted) &&
        given[0] > 0) {
        column.batches = static_cast<std::size_t>(given[0]);
        return column;
    }
    const bool areRows = !given.empty() && given.size() == wanted.size() && wanted[0] > 0 &&
                         given[0] >= wanted[0] &&
                         std::ranges::equal(std::span(given).subspan(1), wanted.subspan(1));
    if (!areRows) {
        return wrongColumn(input, *expected, column.tensor);
    }
    column.unitsPerBatch = static_cast<std::size_t>(wanted[0]);
    column.batches = static_cast<std::size_t>(given[0] / wanted[0]);
    unusedRows = std::max(unusedRows, static_cast<std::size_t>(given[0] % wanted[0]));
    return column;
}

Result<> TrainingData::countBatches() {
    bool areRows = true;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        Column& column = columns[i];
        column.rowBytes = static_cast<std::size_t>(
            core::tensorBytes(static_cast<std::int8_t>(column.tensor.dtype), column.sizes).value_or(0) /
            static_cast<std::int64_t>(column.unitsPerBatch));
        if (column.batches == 1) {
            continue;
        }
        areRows = areRows && (rowsPerBatch == 0 || rowsPerBatch == column.unitsPerBatch);
        rowsPerBatch = column.unitsPerBatch;
        if (batchCount != 1 && batchCount != columns[i].batches) {
            return core::fail(core::ErrorCode::InvalidArgument,
                              fmt::format("expected {} batches in each file, as in those before, got {}",
                                          batchCount, columns[i].batches),
                              {.file = {}, .field = fmt::format("inputs[{}]", i), .offset = {}});
        }
        batchCount = columns[i].batches;
    }
    rowsPerBatch = areRows ? rowsPerBatch : 0;
    return {};
}

void TrainingData::shuffle(std::mt19937_64& random) {
    order.resize(batchCount * std::max<std::size_t>(1, rowsPerBatch));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, random);
}

std::size_t TrainingData::rowOf(const Column& column, std::size_t batch, std::size_t row) const {
    if (column.batches == 1) {
        return row;
    }
    const std::size_t inOrder = (batch * column.unitsPerBatch) + row;
    if (order.empty()) {
        return inOrder;
    }
    return rowsPerBatch > 0 ? order[inOrder] : (order[batch] * column.unitsPerBatch) + row;
}

const InputSet& TrainingData::batch(std::size_t number) {
    if (columns.empty()) {
        return sets[order.empty() ? number : order[number]];
    }
    current = {};
    for (const Column& column : columns) {
        HostTensor& made = current.owned.emplace_back(
            HostTensor{.dtype = column.tensor.dtype, .sizes = column.sizes, .dimOrder = {}, .data = {}});
        for (std::size_t row = 0; row < column.unitsPerBatch; ++row) {
            const auto from = std::span(column.tensor.data)
                                  .subspan(rowOf(column, number, row) * column.rowBytes, column.rowBytes);
            made.data.insert(made.data.end(), from.begin(), from.end());
        }
        current.values.emplace_back(executor::TensorInput{
            .dtype = made.dtype, .sizes = made.sizes, .dimOrder = {}, .data = made.data});
        current.sources.emplace_back("data");
    }
    return current;
}

}  // namespace et::tasks
