#include "runtime/executor/detail/foreign_call.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace et::executor::detail {
namespace {

using core::ErrorCode;
using core::Tensor;
using core::Value;
using et_inspect::Kind;
using et_inspect::TensorSlot;
using et_inspect::ValueSlot;

static_assert(et_inspect::maxDims == core::maxDims);

constexpr std::int64_t maxSize = std::numeric_limits<std::int32_t>::max();

core::Result<> fillTensor(TensorSlot& slot, Tensor& tensor) {
    const std::size_t dims = tensor.dim();
    slot.data = tensor.raw();
    slot.tensor = &tensor;
    slot.elements = tensor.numel();
    slot.capacity =
        static_cast<std::int64_t>(tensor.capacityBytes() / std::max<std::size_t>(tensor.elementSize(), 1));
    slot.dims = static_cast<std::uint8_t>(dims);
    slot.dtype = static_cast<std::uint8_t>(tensor.dtype());
    slot.dynamism = static_cast<std::uint8_t>(tensor.resizable());
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < dims; ++i) {
        largest = std::max({largest, tensor.size(i), tensor.stride(i)});
        slot.sizes[i] = static_cast<std::int32_t>(tensor.size(i));
        slot.strides[i] = static_cast<std::int32_t>(tensor.stride(i));
        slot.dimOrder[i] = tensor.dimOrder()[i];
    }
    return largest <= maxSize
               ? core::Result<>()
               : core::fail(ErrorCode::Unsupported,
                            fmt::format("sizes of 2^31 and more are not supported by ExecuTorch's "
                                        "kernels, got {}",
                                        core::sizesText(tensor.sizes())));
}

ForeignHost& hostOf(void* host) {
    return *static_cast<ForeignHost*>(host);
}

const char* resize(TensorSlot* slot, const std::int32_t* sizes, std::uint64_t dims) {
    thread_local std::string problem;
    if (dims > core::maxDims) {
        return "too many dimensions";
    }
    core::Sizes wide;
    for (std::size_t i = 0; i < dims; ++i) {
        wide.push_back(sizes[i]);
    }
    auto& tensor = *static_cast<Tensor*>(slot->tensor);
    const auto done = tensor.resize(wide).and_then([&] { return fillTensor(*slot, tensor); });
    if (done) {
        return nullptr;
    }
    problem = done.error().message;
    return problem.c_str();
}

void* allocate(void* host, bool keep, std::uint64_t bytes, std::uint64_t alignment) {
    constexpr std::uint64_t usual = 64;
    ForeignHost& call = hostOf(host);
    if (alignment == 0 || (alignment & (alignment - 1)) != 0 || bytes > SIZE_MAX / 2 ||
        alignment > SIZE_MAX / 4) {
        return nullptr;
    }
    const std::uint64_t room = std::max<std::uint64_t>(bytes, 1) + (alignment > usual ? alignment : 0);
    std::byte* memory = nullptr;
    if (kernels::ScratchMemory* const from = keep ? call.kept : call.temporary; from != nullptr) {
        memory = from->take(room).value_or(nullptr);
    } else if (call.kernel != nullptr) {
        const auto taken = call.kernel->scratch<std::byte>(room);
        memory = taken ? taken->data() : nullptr;
    }
    if (memory == nullptr) {
        return nullptr;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return memory + ((alignment - address % alignment) % alignment);
}

std::uint64_t threads(void* host) {
    return hostOf(host).threads->threads();
}
void* threadPool(void* host) {
    return hostOf(host).threads->handle();
}
void parallel(void* host, std::uint64_t items, std::uint64_t grain,
              void (*work)(void*, std::uint64_t, std::uint64_t), void* context) {
    hostOf(host).threads->parallelFor(items, grain,
                                      [&](std::size_t begin, std::size_t end) { work(context, begin, end); });
}

core::TraceIds idsOf(const ForeignHost& call, const char* name, std::int32_t id) {
    core::TraceIds ids = call.ids;
    if (name != nullptr) {
        ids.delegateString = name;
    } else {
        ids.delegateInt = id;
    }
    return ids;
}

void profile(void* host, const char* name, std::int32_t id, std::uint64_t start, std::uint64_t end,
             const void* metadata, std::uint64_t bytes) {
    const ForeignHost& call = hostOf(host);
    if (call.tracer != nullptr) {
        call.tracer->profile(call.unnamed, idsOf(call, name, id), start, end,
                             {static_cast<const std::byte*>(metadata), metadata == nullptr ? 0 : bytes});
    }
}

/// A value that a library describes; nothing if the description is invalid.
std::optional<Value> valueOf(const ValueSlot& slot) {
    switch (slot.kind) {
        case Kind::Int:
            return Value(slot.integer);
        case Kind::Bool:
            return Value(slot.integer != 0);
        case Kind::Double:
            return Value(slot.number);
        case Kind::Tensor: {
            const TensorSlot& from = *slot.tensor;
            const core::Sizes sizes = [&] {
                core::Sizes wide;
                for (std::size_t i = 0; i < from.dims; ++i) {
                    wide.push_back(from.sizes[i]);
                }
                return wide;
            }();
            auto tensor = Tensor::make(static_cast<core::ScalarType>(from.dtype), sizes,
                                       static_cast<std::byte*>(from.data),
                                       std::span(static_cast<const std::uint8_t*>(from.dimOrder), from.dims));
            return tensor ? std::optional<Value>(std::move(*tensor)) : std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

void logValue(void* host, const char* name, std::int32_t id, const ValueSlot* value) {
    const ForeignHost& call = hostOf(host);
    if (call.tracer == nullptr || call.tracer->debugLevel() != core::DebugLevel::Intermediates) {
        return;
    }
    const core::TraceIds ids = idsOf(call, name, id);
    auto logged = valueOf(*value);
    if (logged && call.tracer->wantsDebug(call.unnamed, ids)) {
        call.tracer->debug(call.unnamed, ids, *logged, false);
    }
}

bool findData(void* host, const char* key, std::uint64_t length, const void** data, std::uint64_t* bytes) {
    const ForeignHost& call = hostOf(host);
    const auto found =
        call.namedData == nullptr ? std::nullopt : call.namedData->find(std::string_view(key, length));
    if (!found) {
        return false;
    }
    *data = found->data();
    *bytes = found->size();
    return true;
}

}  // namespace

const et_inspect::Host& foreignHost() {
    static constexpr et_inspect::Host host{.version = et_inspect::pluginVersion,
                                           .resize = &resize,
                                           .allocate = &allocate,
                                           .threads = &threads,
                                           .threadPool = &threadPool,
                                           .parallel = &parallel,
                                           .profile = &profile,
                                           .logValue = &logValue,
                                           .findData = &findData};
    return host;
}

core::Error foreignError(std::uint32_t code, const char* message) {
    std::string text = core::printable(message == nullptr ? "it failed without a message" : message);
    switch (code) {
        case 0x10:  // NotSupported
        case 0x11:  // NotImplemented
        case 0x14:  // OperatorMissing
            return {.code = ErrorCode::Unsupported, .message = std::move(text)};
        case 0x20:  // NotFound
        case 0x22:  // AccessFailed
            return {.code = ErrorCode::NotFound, .message = std::move(text)};
        case 0x21:  // MemoryAllocationFailed
        case 0x25:  // OutOfResources
        case 0x31:  // DelegateMemoryAllocationFailed
            return {.code = ErrorCode::Limit, .message = std::move(text)};
        case 0x23:  // InvalidProgram
        case 0x24:  // InvalidExternalData
        case 0x30:  // DelegateInvalidCompatibility
            return {.code = ErrorCode::Format, .message = std::move(text)};
        default:
            return {.code = ErrorCode::InvalidArgument, .message = std::move(text)};
    }
}

ForeignArguments::~ForeignArguments() {
    if (call.adapted != nullptr) {
        plugin.release(call.adapted);
    }
}

void ForeignArguments::makeRoom(std::size_t count) {
    if (values.size() != count) {
        values.assign(count, {});
        tensors.clear();
        tensors.resize(count);
        lists.clear();
        lists.resize(count);
        call.values = values.data();
        call.count = count;
    }
}

core::Result<> ForeignArguments::fillTensors(std::size_t at, core::TensorListValue& list) {
    if (lists[at] == nullptr) {
        lists[at] = std::make_unique<TensorList>();
    }
    TensorList& into = *lists[at];
    while (into.slots.size() < list.items.size()) {
        into.slots.push_back(std::make_unique<TensorSlot>());
    }
    into.items.assign(list.items.size(), nullptr);
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        auto* const tensor = list.items[i] == nullptr ? nullptr : list.items[i]->as<Tensor>();
        if (tensor != nullptr) {
            ET_TRY(fillTensor(*into.slots[i], *tensor));
            into.items[i] = into.slots[i].get();
        } else if (!list.optionalItems) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("argument {}: item {} of the list is missing", at, i));
        }
    }
    values[at].kind = list.optionalItems ? Kind::ListOptionalTensor : Kind::ListTensor;
    values[at].items = into.items.data();
    values[at].count = into.items.size();
    return {};
}

core::Result<> ForeignArguments::fillValue(std::size_t at, Value& value) {
    ValueSlot& slot = values[at];
    const auto setList = [&](Kind kind, const void* items, std::size_t count) {
        slot.kind = kind;
        slot.items = items;
        slot.count = count;
    };
    if (auto* const tensor = value.as<Tensor>()) {
        if (tensors[at] == nullptr) {
            tensors[at] = std::make_unique<TensorSlot>();
        }
        slot.kind = Kind::Tensor;
        slot.tensor = tensors[at].get();
        return fillTensor(*slot.tensor, *tensor);
    }
    if (const auto* const integer = value.as<std::int64_t>()) {
        slot.kind = Kind::Int;
        slot.integer = *integer;
    } else if (const auto* const number = value.as<double>()) {
        slot.kind = Kind::Double;
        slot.number = *number;
    } else if (const auto* const truth = value.as<bool>()) {
        slot.kind = Kind::Bool;
        slot.integer = *truth ? 1 : 0;
    } else if (const auto integers = value.ints()) {
        setList(Kind::ListInt, integers->data(), integers->size());
    } else if (auto* const list = value.as<core::TensorListValue>()) {
        return fillTensors(at, *list);
    } else if (const auto* const doubles = value.as<core::DoubleListValue>()) {
        setList(Kind::ListDouble, doubles->numbers.data(), doubles->numbers.size());
    } else if (const auto* const bools = value.as<core::BoolListValue>()) {
        setList(Kind::ListBool, bools->numbers.get(), bools->size);
    } else if (const auto* const text = value.as<std::string_view>()) {
        setList(Kind::String, text->data(), text->size());
    } else if (value.isNone()) {
        slot.kind = Kind::None;
    } else {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("argument {}: invalid {}", at, value.kindName()));
    }
    return {};
}

core::Result<> ForeignArguments::fill(std::span<Value* const> arguments, std::uint64_t written) {
    makeRoom(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        ET_TRY(fillValue(i, *arguments[i]));
    }
    for (std::size_t i = 0; i < arguments.size() && written >> i != 0; ++i) {
        const auto* const tensor = arguments[i]->as<Tensor>();
        if ((written >> i & 1U) != 0 && tensor != nullptr && tensor->isConstant()) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("argument {}: expected a Tensor to write to, got a constant", i));
        }
    }
    call.isChanged = false;
    call.message = nullptr;
    return {};
}

void ForeignArguments::takeChanges(std::span<Value* const> arguments) const {
    if (!call.isChanged) {
        return;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const ValueSlot& slot = values[i];
        if (slot.kind == Kind::Int) {
            arguments[i]->set(Value::Kind(slot.integer));
        } else if (slot.kind == Kind::Double) {
            arguments[i]->set(Value::Kind(slot.number));
        } else if (slot.kind == Kind::Bool) {
            arguments[i]->set(Value::Kind(slot.integer != 0));
        }
    }
}

}  // namespace et::executor::detail
