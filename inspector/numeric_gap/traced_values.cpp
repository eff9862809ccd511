#include "inspector/names/operator_names.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "inspector/tensor_files/debug_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Converts logged values of a trace.
class TracedValues {
  public:
    TracedValues(const EventBlocks& joined, std::uint64_t maxBytes)
        : blocks(joined), buffer(*joined.debugBuffer()), left(maxBytes) {}

    Result<> addBlock(const Block& block);
    RuntimeValues take() { return std::move(values); }

  private:
    Result<> addCall(const Event& event);
    Result<> addTap(const Event& event);
    Result<ReferenceValue> valueOf(const etdump::DebugValue& logged);
    Result<ReferenceValue> tensorValue(const etdump::DebugTensor& logged);
    Result<ReferenceTensor> tensorOf(const etdump::DebugTensor& logged);

    const EventBlocks& blocks;
    const core::MappedFile& buffer;
    std::uint64_t left;
    RuntimeValues values;
};

Result<> TracedValues::addBlock(const Block& block) {
    for (const Event& event : block.events) {
        if (event.firstRunDebugEvents == 0) {
            continue;
        }
        if (event.delegateInt || event.delegateString) {
            ET_TRY(addTap(event));
        } else {
            ET_TRY(addCall(event));
        }
    }
    return {};
}

Result<> TracedValues::addCall(const Event& event) {
    RuntimeCall call{.name = std::string(event.name),
                     .chain = event.chain,
                     .instruction = event.instruction.value,
                     .values = {}};
    for (const etdump::EventIndex each : event.debugEvents.first(event.firstRunDebugEvents)) {
        ET_ASSIGN(ReferenceValue value, valueOf(blocks.trace().debugValue(each)));
        call.values.push_back(std::move(value));
    }
    values.calls.push_back(std::move(call));
    return {};
}

Result<> TracedValues::addTap(const Event& event) {
    for (const etdump::EventIndex each : event.debugEvents.first(event.firstRunDebugEvents)) {
        const auto* tensor = std::get_if<etdump::DebugTensor>(&blocks.trace().debugValue(each).value);
        if (tensor == nullptr) {
            continue;
        }
        ET_ASSIGN(ReferenceTensor kept, tensorOf(*tensor));
        // An operator that computes several nodes yields the value of the last one; without a record, the
        // node is unknown.
        values.taps.push_back(
            {.chain = event.chain,
             .instruction = event.instruction.value,
             .kind = std::string(event.name),
             .value = {},
             .handle = event.handles.empty() ? std::nullopt : std::optional(event.handles.back()),
             .tensor = std::move(kept)});
    }
    return {};
}

Result<ReferenceValue> TracedValues::valueOf(const etdump::DebugValue& logged) {
    return std::visit(
        [this]<class T>(const T& content) -> Result<ReferenceValue> {
            if constexpr (std::is_same_v<T, etdump::DebugTensor>) {
                return tensorValue(content);
            } else if constexpr (std::is_same_v<T, std::vector<etdump::DebugTensor>>) {
                ReferenceValue::List list;
                for (const etdump::DebugTensor& each : content) {
                    ET_ASSIGN(ReferenceValue value, tensorValue(each));
                    list.push_back(std::move(value));
                }
                return ReferenceValue{std::move(list)};
            } else if constexpr (std::is_same_v<T, float>) {
                return ReferenceValue{static_cast<double>(content)};
            } else if constexpr (std::is_same_v<T, std::string_view>) {
                return ReferenceValue{std::string(content)};
            } else {
                return ReferenceValue{content};
            }
        },
        logged.value);
}

Result<ReferenceValue> TracedValues::tensorValue(const etdump::DebugTensor& logged) {
    ET_ASSIGN(ReferenceTensor tensor, tensorOf(logged));
    return ReferenceValue{std::move(tensor)};
}

Result<ReferenceTensor> TracedValues::tensorOf(const etdump::DebugTensor& logged) {
    // Tensors without elements are not in the buffer.
    const bool isEmpty = std::ranges::contains(logged.sizes, 0);
    const auto bytes =
        isEmpty ? std::expected<core::Bytes, std::string>(core::Bytes()) : debugTensorBytes(logged, buffer);
    if (!bytes) {
        return fail(ErrorCode::Format, "a logged tensor: " + bytes.error(),
                    {.file = buffer.name(), .field = {}, .offset = {}});
    }
    if (bytes->size() > left) {
        return fail(ErrorCode::Limit, fmt::format("the logged tensors exceed the memory limit"),
                    {.file = buffer.name(), .field = {}, .offset = {}});
    }
    left -= bytes->size();
    if (logged.sizes.size() > core::maxDims) {
        return fail(ErrorCode::Limit, fmt::format("a logged tensor has {} dimensions", logged.sizes.size()));
    }
    // The buffer is not aligned for its dtypes: copy before creating the view.
    auto memory = std::make_shared<std::vector<std::byte>>(bytes->begin(), bytes->end());
    ET_ASSIGN(const core::Tensor view, core::Tensor::make(static_cast<core::ScalarType>(logged.scalarType),
                                                          logged.sizes, memory->data(), dimOrderOf(logged)));
    return rowMajorCopy(view);
}

}  // namespace

Result<RuntimeValues> valuesOf(const EventBlocks& blocks, std::uint64_t maxBytes) {
    if (blocks.debugBuffer() == nullptr) {
        return fail(ErrorCode::InvalidArgument,
                    "the trace's values are in its debug buffer: pass it with --debug-buffer");
    }
    TracedValues traced(blocks, maxBytes);
    for (const Block& block : blocks.blocks()) {
        ET_TRY(traced.addBlock(block));
    }
    return traced.take();
}

}  // namespace et::inspector
