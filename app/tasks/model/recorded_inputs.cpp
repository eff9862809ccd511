#include "app/tasks/model/recorded_inputs.h"

#include "app/tasks/base/program_file.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/record_inputs.h"

#include <fmt/format.h>

#include <type_traits>
#include <variant>

namespace et::tasks {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::fail;
using core::Result;
using executor::InputValue;
using executor::TensorInput;
using inspector::HostTensor;

void addTensor(const core::Tensor& view, InputSet& inputs) {
    HostTensor tensor{.dtype = view.dtype(),
                      .sizes = {view.sizes().begin(), view.sizes().end()},
                      .dimOrder = {},
                      .data = {view.rawBytes().begin(), view.rawBytes().end()}};
    const HostTensor& kept = inputs.owned.emplace_back(std::move(tensor));
    inputs.values.emplace_back(TensorInput{.dtype = kept.dtype, .sizes = kept.sizes, .data = kept.data});
}

Result<> add(const ReferenceValue& value, InputSet& inputs) {
    return std::visit(
        [&]<class T>(const T& content) -> Result<> {
            if constexpr (std::is_same_v<T, ReferenceTensor>) {
                addTensor(content.view, inputs);  // row-major, as in the archive
            } else if constexpr (std::is_constructible_v<InputValue, T>) {
                inputs.values.emplace_back(content);
            } else {
                return fail(ErrorCode::Unsupported,
                            fmt::format("input {} is neither a tensor nor a number", inputs.values.size()));
            }
            return {};
        },
        value.content);
}

}  // namespace

Result<InputSet> inputsFrom(std::span<const ReferenceValue> values, const std::string& source) {
    InputSet inputs;
    for (const ReferenceValue& each : values) {
        ET_TRY(add(each, inputs));
        inputs.sources.push_back(source);
    }
    return inputs;
}

Result<InputSet> recordedInputs(const std::filesystem::path& record, std::string_view method,
                                std::uint64_t maxBytes) {
    if (record.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--input {} needs --etrecord, which holds them", recordedInputsWord));
    }
    ET_ASSIGN(const auto opened, openRecord(record));
    const etrecord::ExportedGraph* const graph = opened->edgeGraph(method);
    if (graph == nullptr) {
        return fail(ErrorCode::NotFound, fmt::format("the record has no method \"{}\"", method),
                    {.file = record.string(), .field = {}, .offset = {}});
    }
    ET_ASSIGN(const inspector::RecordInputs held, inspector::recordInputs(*opened, method, *graph, maxBytes));
    return inputsFrom(held.values, held.source);
}

}  // namespace et::tasks
