#include "backends/xnnpack/delegate/arguments.h"

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/nodes/stored_types.h"
#include "runtime/executor/backend.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using core::Tensor;

struct TensorType {
    Datatype ours;
    ScalarType program;
};

/// Dtypes of program tensors per datatype; the first one is the default. Indices have 32 bits in the library
/// and 64 in programs.
constexpr std::array tensorTypes = std::to_array<TensorType>({
    {Datatype::Fp32, ScalarType::Float},
    {Datatype::Fp16, ScalarType::Half},
    {Datatype::BFloat16, ScalarType::BFloat16},
    {Datatype::QInt8, ScalarType::Char},
    {Datatype::QUInt8, ScalarType::Byte},
    {Datatype::Int32, ScalarType::Int},
    {Datatype::Int32, ScalarType::Long},
});

bool fits(Datatype type, ScalarType program, bool isInput) {
    return std::ranges::any_of(tensorTypes, [&](const TensorType& pair) {
        return pair.ours == type && pair.program == program && !(isInput && program == ScalarType::Long);
    });
}

bool isWide(const Tensor& tensor) {
    return tensor.dtype() == ScalarType::Long;
}

/// Size of dimension `i` in memory order, as the library counts dimensions.
std::size_t sizeInMemory(const Tensor& tensor, std::size_t i) {
    return static_cast<std::size_t>(tensor.size(tensor.dimOrder()[i]));
}

static_assert(XNN_EXTRA_BYTES <= executor::readableBehind);

bool isWithin(core::Bytes bytes, std::span<const core::Bytes> blocks) {
    return !bytes.empty() && std::ranges::any_of(blocks, [bytes](core::Bytes block) {
        const std::less_equal<> isBefore;
        return isBefore(block.data(), bytes.data()) &&
               isBefore(bytes.data() + bytes.size(), block.data() + block.size());
    });
}

std::byte* grown(std::vector<std::byte>& copy, std::size_t bytes) {
    if (copy.size() < bytes + XNN_EXTRA_BYTES) {
        copy.resize(bytes + XNN_EXTRA_BYTES);
    }
    return copy.data();
}

}  // namespace

Arguments::Arguments(const Payload& from, bool widenHalf) : payload(from), places(from.externals.size()) {
    externals.reserve(payload.externals.size());
    for (const ValueIndex index : payload.externals) {
        const PayloadValue& value = payload.value(index);
        externals.push_back({.value = index,
                             .argument = value.externalId.value_or(0),
                             .tensor = nullptr,
                             .isWidened = computedAs(value.datatype, widenHalf) != value.datatype,
                             .copy = {}});
    }
}

Result<> Arguments::check(External& external, std::span<core::Value* const> arguments) const {
    const PayloadValue& value = payload.value(external.value);
    if (external.argument >= arguments.size()) {
        return core::fail(ErrorCode::InvalidArgument, fmt::format("expected more than {} arguments, got {}",
                                                                  external.argument, arguments.size()));
    }
    external.tensor = arguments[external.argument]->as<Tensor>();
    if (external.tensor == nullptr || !fits(value.datatype, external.tensor->dtype(), value.isInput) ||
        (external.tensor->dim() != value.sizes.size() &&
         !(external.tensor->dim() == 0 && value.sizes.size() == 1))) {
        const core::Value& given = *arguments[external.argument];
        return core::fail(
            ErrorCode::InvalidArgument,
            fmt::format("argument {}: expected a tensor of {} with {} dimensions, got {}", external.argument,
                        datatypeName(value.datatype), value.sizes.size(),
                        external.tensor != nullptr ? describe(*external.tensor) : given.kindName()));
    }
    return {};
}

Result<bool> Arguments::takeShapes(std::span<core::Value* const> arguments, Shapes& shapes) {
    bool changed = false;
    bindings.clear();
    for (External& external : externals) {
        ET_TRY(check(external, arguments));
        if (!payload.value(external.value).isInput) {
            continue;
        }
        ValueSizes& sizes = shapes[external.value];
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            // The library represents a scalar as a list of one element.
            const std::size_t size = external.tensor->dim() == 0 ? 1 : sizeInMemory(*external.tensor, i);
            changed = changed || size != sizes[i];
            sizes[i] = size;
        }
    }
    return changed;
}

Result<> Arguments::bind(const Shapes& shapes, std::span<const core::Bytes> plannedMemory) {
    empty = true;
    for (std::size_t i = 0; i < externals.size(); ++i) {
        if (payload.value(externals[i].value).isOutput) {
            ET_TRY(placeOutput(externals[i], shapes[externals[i].value], places[i]));
            empty = empty && externals[i].tensor->numel() == 0;
        }
    }
    for (std::size_t i = 0; i < externals.size() && !empty; ++i) {
        if (payload.value(externals[i].value).isInput) {
            placeInput(externals[i], plannedMemory, places[i]);
        }
    }
    bindings.clear();
    if (!empty && areTensorsThemselves(plannedMemory)) {
        noteBindings();
    }
    return {};
}

bool Arguments::areTensorsThemselves(std::span<const core::Bytes> plannedMemory) const {
    for (std::size_t i = 0; i < externals.size(); ++i) {
        if (!isTensorItself(externals[i], places[i], plannedMemory)) {
            return false;
        }
    }
    return true;
}

void Arguments::noteBindings() {
    boundShapes.resize(externals.size());
    for (std::size_t i = 0; i < externals.size(); ++i) {
        const Tensor& tensor = *externals[i].tensor;
        bindings.push_back({.tensor = &tensor,
                            .address = places[i],
                            .argument = externals[i].argument,
                            .keepsShape = tensor.keepsShape()});
        boundShapes[i] = {.sizes = tensor.sizes(), .order = tensor.dimOrder(), .dtype = tensor.dtype()};
    }
}

bool Arguments::isTensorItself(const External& external, const void* place,
                               std::span<const core::Bytes> plannedMemory) const {
    const Tensor& tensor = *external.tensor;
    // Only planned memory and the program's constants stay readable; other memory is checked in each run.
    const bool stays = payload.value(external.value).isOutput || tensor.isConstant() ||
                       isWithin({tensor.raw(), tensor.bytes()}, plannedMemory);
    return stays && place == tensor.raw() && !external.isWidened;
}

bool Arguments::isShapedAsBound(std::size_t external) const {
    const Tensor& tensor = *bindings[external].tensor;
    const BoundShape& was = boundShapes[external];
    return tensor.dtype() == was.dtype && tensor.sizes() == was.sizes && tensor.dimOrder() == was.order;
}

bool Arguments::areBound(std::span<core::Value* const> arguments) const {
    for (std::size_t i = 0; i < bindings.size(); ++i) {
        const Bound& bound = bindings[i];
        const auto* const tensor =
            bound.argument < arguments.size() ? arguments[bound.argument]->as<Tensor>() : nullptr;
        if (tensor == nullptr || tensor != bound.tensor || tensor->raw() != bound.address ||
            !((bound.keepsShape && tensor->keepsShape()) || isShapedAsBound(i))) {
            return false;
        }
    }
    return !bindings.empty();
}

void Arguments::placeInput(External& external, std::span<const core::Bytes> plannedMemory,
                           void*& place) const {
    const Tensor& tensor = *external.tensor;
    const core::Bytes bytes{tensor.raw(), tensor.bytes()};
    if (external.isWidened) {
        const auto count = static_cast<std::size_t>(tensor.numel());
        place = grown(external.copy, count * sizeof(float));
        widenNumbers(payload.value(external.value).datatype, bytes.data(), static_cast<float*>(place), count);
    } else if (isWithin(bytes, plannedMemory) || isReadable(bytes)) {
        place = tensor.raw();
    } else {
        place = grown(external.copy, bytes.size());
        std::ranges::copy(bytes, external.copy.begin());
    }
}

Result<> Arguments::placeOutput(External& external, const ValueSizes& sizes, void*& place) const {
    Tensor& tensor = *external.tensor;
    core::Sizes wanted(tensor.dim(), 0);
    for (std::size_t i = 0; i < tensor.dim(); ++i) {
        wanted[tensor.dimOrder()[i]] = static_cast<std::int64_t>(sizes[i]);
    }
    ET_TRY(tensor.resize(wanted));
    // The library requires an address even for empty tensors.
    if (external.isWidened || isWide(tensor) || tensor.raw() == nullptr) {
        place = grown(external.copy, static_cast<std::size_t>(tensor.numel()) * sizeof(float));
    } else {
        place = tensor.raw();
    }
    return {};
}

void Arguments::finish() {
    if (!bindings.empty()) {
        return;
    }
    for (External& external : externals) {
        if (!payload.value(external.value).isOutput) {
            continue;
        }
        Tensor& tensor = *external.tensor;
        const auto count = static_cast<std::size_t>(tensor.numel());
        if (external.isWidened) {
            narrowNumbers(payload.value(external.value).datatype,
                          reinterpret_cast<const float*>(external.copy.data()), tensor.raw(), count);
        } else if (isWide(tensor)) {
            const auto* from = reinterpret_cast<const std::int32_t*>(external.copy.data());
            std::copy_n(from, count, tensor.mutableData<std::int64_t>());
        }
    }
}

}  // namespace et::backends::xnnpack
