#include "backends/tosa/lower/graph_maker.h"

#include <bit>
#include <cstring>
#include <limits>

// Elementwise operators on floating-point numbers, and those that are the same on integers.
namespace et::backends::tosa {
namespace {

using core::Result;
using core::ScalarType;

struct Twin {
    std::string_view name;
    std::string_view target;
};
constexpr Twin unaryTwins[] = {
    {"ERF", "aten.erf.default"},
    {"SIGMOID", "aten.sigmoid.default"},
    {"TANH", "aten.tanh.default"},
    {"ABS", "aten.abs.default"},
    {"BITWISE_NOT", "aten.bitwise_not.default"},
    {"CEIL", "aten.ceil.default"},
    {"COS", "aten.cos.default"},
    {"EXP", "aten.exp.default"},
    {"FLOOR", "aten.floor.default"},
    {"IDENTITY", "aten.clone.default"},
    {"LOG", "aten.log.default"},
    {"LOGICAL_NOT", "aten.logical_not.default"},
    {"RECIPROCAL", "aten.reciprocal.default"},
    {"RSQRT", "aten.rsqrt.default"},
    {"SIN", "aten.sin.default"},
};
constexpr Twin binaryTwins[] = {
    {"ADD", "aten.add.Tensor"},
    {"SUB", "aten.sub.Tensor"},
    {"POW", "aten.pow.Tensor_Tensor"},
    {"MAXIMUM", "aten.maximum.default"},
    {"MINIMUM", "aten.minimum.default"},
    {"BITWISE_AND", "aten.bitwise_and.Tensor"},
    {"BITWISE_OR", "aten.bitwise_or.Tensor"},
    {"BITWISE_XOR", "aten.bitwise_xor.Tensor"},
    {"LOGICAL_AND", "aten.logical_and.default"},
    {"LOGICAL_OR", "aten.logical_or.default"},
    {"LOGICAL_XOR", "aten.logical_xor.default"},
};
constexpr Twin comparingTwins[] = {
    {"EQUAL", "aten.eq.Tensor"},
    {"GREATER", "aten.gt.Tensor"},
    {"GREATER_EQUAL", "aten.ge.Tensor"},
};

template <std::size_t count>
std::string_view twinOf(const Twin (&twins)[count], const Operator& from) {
    for (const Twin& twin : twins) {
        if (twin.name == from.info->name) {
            return twin.target;
        }
    }
    return {};
}

Result<MadeTensor> unary(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    return maker.put(twinOf(unaryTwins, from), {tensorArgument(x.name)}, x.dtype);
}

Result<MadeTensor> binary(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor a, maker.input(from, 0));
    ET_ASSIGN(const MadeTensor b, maker.input(from, 1));
    return maker.pair(twinOf(binaryTwins, from), a, b);
}

Result<MadeTensor> comparing(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor a, maker.input(from, 0));
    ET_ASSIGN(const MadeTensor b, maker.input(from, 1));
    return maker.put(twinOf(comparingTwins, from), {tensorArgument(a.name), tensorArgument(b.name)},
                     ScalarType::Bool);
}

Result<MadeTensor> select(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor condition, maker.input(from, 0));
    ET_ASSIGN(const MadeTensor a, maker.input(from, 1));
    ET_ASSIGN(const MadeTensor b, maker.input(from, 2));
    return maker.put("aten.where.self",
                     {tensorArgument(condition.name), tensorArgument(a.name), tensorArgument(b.name)},
                     a.dtype);
}

template <class T>
std::optional<T> elementIn(core::Bytes bytes) {
    T value{};
    if (bytes.size() < sizeof(T)) {
        return std::nullopt;
    }
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

template <class T>
std::optional<etrecord::Argument> wholeIn(core::Bytes bytes) {
    return elementIn<T>(bytes).transform([](T number) { return wholeArgument(number); });
}

template <class T>
std::optional<etrecord::Argument> realIn(core::Bytes bytes) {
    return elementIn<T>(bytes).transform([](T number) { return realArgument(static_cast<float>(number)); });
}

/// A field that is one element of a dtype. Errors: Format.
Result<etrecord::Argument> elementField(const Operator& from, std::size_t index, ScalarType dtype) {
    const auto* const bytes =
        index < from.fields.size() ? std::get_if<core::Bytes>(&from.fields[index]) : nullptr;
    std::optional<etrecord::Argument> number;
    if (bytes != nullptr) {
        switch (dtype) {
            case ScalarType::Char:
                number = wholeIn<std::int8_t>(*bytes);
                break;
            case ScalarType::Short:
                number = wholeIn<std::int16_t>(*bytes);
                break;
            case ScalarType::Int:
                number = wholeIn<std::int32_t>(*bytes);
                break;
            case ScalarType::Float:
                number = realIn<float>(*bytes);
                break;
            case ScalarType::Half:
                number = realIn<core::Half>(*bytes);
                break;
            case ScalarType::BFloat16:
                number = realIn<core::BFloat16>(*bytes);
                break;
            default:
                break;
        }
    }
    return number ? Result<etrecord::Argument>(*std::move(number))
                  : core::fail(core::ErrorCode::Format, "expected numbers as its minimum and maximum");
}

Result<MadeTensor> clamp(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(etrecord::Argument minimum, elementField(from, 0, x.dtype));
    ET_ASSIGN(etrecord::Argument maximum, elementField(from, 1, x.dtype));
    return maker.put("aten.clamp.default", {tensorArgument(x.name), std::move(minimum), std::move(maximum)},
                     x.dtype);
}

}  // namespace

void addElementwise(Conversions& to) {
    for (const Twin& twin : unaryTwins) {
        to[twin.name] = unary;
    }
    for (const Twin& twin : binaryTwins) {
        to[twin.name] = binary;
    }
    for (const Twin& twin : comparingTwins) {
        to[twin.name] = comparing;
    }
    to["CLAMP"] = clamp;
    to["SELECT"] = select;
}

}  // namespace et::backends::tosa
