#include "app/wire/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace et::wire {
namespace {

using core::ErrorCode;
using core::Result;
using core::Tensor;
using core::Value;

enum class ValueKind : std::uint8_t { None, Tensor, Int, Double, Bool, Tensors };
constexpr std::uint8_t valueKinds = 6;

void encodeTensor(Encoder& out, const Tensor& tensor) {
    out.add(static_cast<std::int8_t>(tensor.dtype()));
    out.list(tensor.sizes(), [](Encoder& each, std::int64_t size) { each.add(size); });
    out.list(tensor.dimOrder(), [](Encoder& each, std::uint8_t dimension) { each.add(dimension); });
    // A tensor that was not written yet may have no memory.
    out.block(tensor.raw() == nullptr ? core::Bytes() : core::Bytes(tensor.rawBytes()));
}

void encodeKind(Encoder& out, ValueKind kind) {
    out.add(static_cast<std::uint8_t>(kind));
}

bool copyInto(const Tensor& from, Tensor& to) {
    if (to.isConstant() || to.raw() == nullptr || to.dtype() != from.dtype() ||
        !std::ranges::equal(to.dimOrder(), from.dimOrder()) || !to.resize(from.sizes())) {
        return false;
    }
    if (from.bytes() > 0) {
        std::memcpy(to.raw(), from.raw(), from.bytes());
    }
    return true;
}

}  // namespace

void encodeValue(Encoder& out, Value& value) {
    if (const auto* tensor = value.as<Tensor>()) {
        encodeKind(out, ValueKind::Tensor);
        encodeTensor(out, *tensor);
    } else if (const auto tensors = value.tensors(true)) {
        encodeKind(out, ValueKind::Tensors);
        out.list(*tensors, [](Encoder& each, const Tensor* item) {
            each.add(item != nullptr);
            if (item != nullptr) {
                encodeTensor(each, *item);
            }
        });
    } else if (const auto* whole = value.as<std::int64_t>()) {
        encodeKind(out, ValueKind::Int);
        out.add(*whole);
    } else if (const auto* number = value.as<double>()) {
        encodeKind(out, ValueKind::Double);
        out.add(*number);
    } else if (const auto* truth = value.as<bool>()) {
        encodeKind(out, ValueKind::Bool);
        out.add(*truth);
    } else {
        encodeKind(out, ValueKind::None);
    }
}

void ValueStore::clear() {
    values.clear();
    memory.clear();
}

Result<Value> ValueStore::decodeTensor(Decoder& in) {
    ET_ASSIGN(const auto code, in.number<std::int8_t>("dtype"));
    ET_ASSIGN(const std::uint32_t dimensions, in.count("sizes", sizeof(std::int64_t)));
    std::vector<std::int64_t> sizes(dimensions);
    for (std::int64_t& size : sizes) {
        ET_ASSIGN(size, in.number<std::int64_t>("size"));
    }
    ET_ASSIGN(const std::uint32_t orders, in.count("dim order", 1));
    std::vector<std::uint8_t> order(orders);
    for (std::uint8_t& dimension : order) {
        ET_ASSIGN(dimension, in.number<std::uint8_t>("dim order"));
    }
    ET_ASSIGN(const core::Bytes elements, in.block("elements"));
    if (!core::scalarType(code)) {
        return core::fail(ErrorCode::Format, fmt::format("expected a dtype, got {}", code));
    }
    ET_ASSIGN(Tensor tensor, Tensor::make(static_cast<core::ScalarType>(code), sizes, nullptr, order));
    if (!elements.empty() && elements.size() != tensor.bytes()) {
        return core::fail(ErrorCode::Format, fmt::format("expected {} bytes of {}, got {}", tensor.bytes(),
                                                         describe(tensor), elements.size()));
    }
    if (elements.empty() && tensor.bytes() > 0) {
        return Value();
    }
    auto& copy = memory.emplace_back(elements.begin(), elements.end());
    tensor.setMemory(copy.data(), copy.size());
    return Value(tensor);
}

Result<Value*> ValueStore::decode(Decoder& in) {
    ET_ASSIGN(const auto kind, in.choice<ValueKind>("kind of a value", valueKinds));
    Value decoded;
    switch (kind) {
        case ValueKind::None:
            break;
        case ValueKind::Tensor: {
            ET_ASSIGN(decoded, decodeTensor(in));
            break;
        }
        case ValueKind::Int: {
            ET_ASSIGN(const auto number, in.number<std::int64_t>("number"));
            decoded.set(number);
            break;
        }
        case ValueKind::Double: {
            ET_ASSIGN(const double number, in.real("number"));
            decoded.set(number);
            break;
        }
        case ValueKind::Bool: {
            ET_ASSIGN(const bool truth, in.truth("truth"));
            decoded.set(truth);
            break;
        }
        case ValueKind::Tensors: {
            ET_ASSIGN(const std::uint32_t items, in.count("list", 1));
            core::TensorListValue list;
            list.optionalItems = true;
            for (std::uint32_t i = 0; i < items; ++i) {
                ET_ASSIGN(const bool there, in.truth("item"));
                Value* item = nullptr;
                if (there) {
                    ET_ASSIGN(Value tensor, decodeTensor(in));
                    item = &values.emplace_back(std::move(tensor));
                }
                list.items.push_back(item);
                list.tensors.push_back(nullptr);
            }
            decoded.set(std::move(list));
            break;
        }
    }
    return &values.emplace_back(std::move(decoded));
}

void assignValue(Value& from, Value& to) {
    const auto* tensor = from.as<Tensor>();
    if (auto* target = to.as<Tensor>();
        tensor != nullptr && target != nullptr && copyInto(*tensor, *target)) {
        return;
    }
    if (tensor != nullptr) {
        to.set(*tensor);
        return;
    }
    if (const auto* list = from.as<core::TensorListValue>()) {
        if (auto* target = to.as<core::TensorListValue>()) {
            for (std::size_t i = 0; i < std::min(list->items.size(), target->items.size()); ++i) {
                if (list->items[i] != nullptr && target->items[i] != nullptr) {
                    assignValue(*list->items[i], *target->items[i]);
                }
            }
        }
        return;
    }
    if (const auto* whole = from.as<std::int64_t>()) {
        to.set(*whole);
    } else if (const auto* number = from.as<double>()) {
        to.set(*number);
    } else if (const auto* truth = from.as<bool>()) {
        to.set(*truth);
    } else {
        to.set(std::monostate{});
    }
}

}  // namespace et::wire
