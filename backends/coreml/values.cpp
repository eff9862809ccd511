#include "backends/coreml/values.h"

#include "backends/coreml/protobuf.h"
#include "backends/payload_data.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

namespace et::backends::coreml {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::Result;

constexpr std::size_t maxTypeDepth = 16;
constexpr std::size_t maxShown = 8;  ///< elements of an immediate value
constexpr std::size_t maxText = 64;  ///< characters of a text

struct DataType {
    std::uint64_t number;
    std::string_view name;
    std::uint64_t bits;  ///< 0: unknown
};
constexpr std::array dataTypes = std::to_array<DataType>({
    {1, "bool", 8},           {2, "string", 0},       {10, "float16", 16}, {11, "float32", 32},
    {12, "float64", 64},      {13, "bfloat16", 16},   {21, "int8", 8},     {22, "int16", 16},
    {23, "int32", 32},        {24, "int64", 64},      {25, "int4", 4},     {31, "uint8", 8},
    {32, "uint16", 16},       {33, "uint32", 32},     {34, "uint64", 64},  {35, "uint4", 4},
    {36, "uint2", 2},         {37, "uint1", 1},       {38, "uint6", 6},    {39, "uint3", 3},
    {40, "float8_e4m3fn", 8}, {41, "float8_e5m2", 8},
});

/// Names by the number in a blob's metadata.
constexpr std::array<std::string_view, 18> blobTypes{
    "",      "float16", "float32", "uint8", "int8",  "bfloat16", "int16",  "uint16",        "int4",
    "uint1", "uint2",   "uint4",   "uint3", "uint6", "int32",    "uint32", "float8_e4m3fn", "float8_e5m2"};

/// Numbers of the alternatives of ValueType.
enum class TypeField : std::uint8_t { Tensor = 1, List = 2, Tuple = 3, Dictionary = 4, State = 5 };

/// A size, "?" or "...".
Result<std::string> readDimension(Bytes message, std::optional<std::int64_t>& size) {
    std::string text = "?";
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        const bool isConstant = field.number == 1;
        if (isConstant) {
            size = 0;
            text = "0";
        }
        return forEachField(field.bytes, [&](const ProtobufField& each) -> Result<> {
            if (each.number == 1 && isConstant) {
                constexpr std::uint64_t max = std::uint64_t{1} << 62;
                size = static_cast<std::int64_t>(std::min(each.value, max));
                text = fmt::to_string(each.value);
            } else if (each.number == 1 && each.value != 0) {
                text = "...";
            }
            return {};
        });
    }));
    return text;
}

Result<ValueType> readTensorType(Bytes message) {
    constexpr std::size_t maxDimensions = 64;
    const DataType* dtype = nullptr;
    std::uint64_t number = 0;
    std::string sizesText;
    std::vector<std::int64_t> sizes;
    std::size_t dimensions = 0;
    bool isDense = true;
    bool hasAnyRank = false;
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        if (field.number == 1) {
            number = field.value;
            const auto* const found = std::ranges::find(dataTypes, number, &DataType::number);
            dtype = found == dataTypes.end() ? nullptr : found;
        } else if (field.number == 2) {
            hasAnyRank = static_cast<std::int64_t>(field.value) < 0;
        } else if (field.number == 3) {
            if (++dimensions > maxDimensions) {
                return core::fail(ErrorCode::Limit,
                                  fmt::format("expected at most {} dimensions, got more", maxDimensions));
            }
            std::optional<std::int64_t> size;
            ET_ASSIGN(const std::string text, readDimension(field.bytes, size));
            sizesText += (sizesText.empty() ? "" : ", ") + text;
            isDense = isDense && size.has_value();
            sizes.push_back(size.value_or(0));
        }
        return {};
    }));
    ValueType type;
    type.text = dtype == nullptr ? fmt::format("type {}", number) : std::string(dtype->name);
    type.isScalar = dimensions == 0 && !hasAnyRank;
    if (!type.isScalar) {
        type.text += fmt::format(" [{}]", hasAnyRank ? "..." : sizesText);
    } else {
        type.text += " []";
    }
    if (dtype != nullptr && isDense && !hasAnyRank) {
        type.bytes = denseBytes(dtype->bits, sizes);
    }
    return type;
}

Result<ValueType> readTypeAt(Bytes message, std::size_t depth);

/// Types that contain others: the text names the first.
Result<ValueType> readOuterType(Bytes message, TypeField kind, std::size_t depth) {
    std::string inner;
    ValueType type;
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        if (!field.isLengthDelimited || (kind == TypeField::List && field.number != 1)) {
            return {};
        }
        ET_ASSIGN(ValueType found, readTypeAt(field.bytes, depth + 1));
        if (inner.empty() || inner.size() < maxText) {
            inner += (inner.empty() ? "" : ", ") + found.text;
        }
        type.bytes = kind == TypeField::State ? found.bytes : 0;
        return {};
    }));
    type.isState = kind == TypeField::State;
    const std::string_view word = kind == TypeField::State   ? "state"
                                  : kind == TypeField::List  ? "list of"
                                  : kind == TypeField::Tuple ? "tuple of"
                                                             : "dictionary of";
    type.text = fmt::format("{} {}", word, inner);
    return type;
}

Result<ValueType> readTypeAt(Bytes message, std::size_t depth) {
    if (depth > maxTypeDepth) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("expected types nested at most {} deep, got more", maxTypeDepth));
    }
    ValueType type{.text = "unknown type"};
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        const auto kind = static_cast<TypeField>(field.number);
        if (field.number == 0 || field.number > static_cast<std::uint32_t>(TypeField::State)) {
            return {};
        }
        auto found =
            kind == TypeField::Tensor ? readTensorType(field.bytes) : readOuterType(field.bytes, kind, depth);
        ET_ASSIGN(type, std::move(found));
        return {};
    }));
    return type;
}

/// Elements of an immediate tensor, as text and as bytes.
class Elements {
  public:
    explicit Elements(bool isScalarType) : isScalar(isScalarType) {}

    void add(std::string element) {
        if (++count <= maxShown) {
            text += (text.empty() ? "" : ", ") + std::move(element);
        }
    }
    [[nodiscard]] std::string take() const {
        if (count > maxShown) {
            return {};
        }
        return isScalar && count == 1 ? text : fmt::format("[{}]", text);
    }

    Bytes data;

  private:
    bool isScalar;
    std::size_t count = 0;
    std::string text;
};

enum class TensorField : std::uint8_t {
    Floats = 1,
    Ints = 2,
    Bools = 3,
    Strings = 4,
    LongInts = 5,
    Doubles = 6,
    RawBytes = 7,
};

template <class Number, class Bits>
void addFixed(Bytes packed, Elements& elements) {
    core::ByteReader reader(packed);
    while (reader.remaining() >= sizeof(Bits)) {
        elements.add(fmt::format("{}", std::bit_cast<Number>(reader.read<Bits>("value").value_or(0))));
    }
    elements.data = packed;
}

Result<> addNumbers(const ProtobufField& field, bool areBools, Elements& elements) {
    const auto add = [&](std::uint64_t number) {
        elements.add(areBools ? std::string(number == 0 ? "false" : "true")
                              : fmt::to_string(static_cast<std::int64_t>(number)));
    };
    if (!field.isLengthDelimited) {
        add(field.value);
        return {};
    }
    ProtobufReader reader(field.bytes);
    while (!reader.isAtEnd()) {
        ET_ASSIGN(const std::uint64_t number, reader.varint());
        add(number);
    }
    return {};
}

Result<> addTensor(const ProtobufField& kind, Elements& elements) {
    return forEachField(kind.bytes, [&](const ProtobufField& field) -> Result<> {
        switch (static_cast<TensorField>(kind.number)) {
            case TensorField::Floats:
                addFixed<float, std::uint32_t>(field.bytes, elements);
                return {};
            case TensorField::Doubles:
                addFixed<double, std::uint64_t>(field.bytes, elements);
                return {};
            case TensorField::Ints:
            case TensorField::LongInts:
                return addNumbers(field, false, elements);
            case TensorField::Bools:
                return addNumbers(field, true, elements);
            case TensorField::Strings:
                elements.add(core::printable(field.text().substr(0, maxText)));
                return {};
            case TensorField::RawBytes:
                elements.data = field.bytes;
                return {};
        }
        return {};
    });
}

/// Two bytes are a float16, the only such scalars that programs have.
std::string bytesText(const ValueType& type, Bytes data) {
    if (type.isScalar && type.text.starts_with("float16") && data.size() == sizeof(std::uint16_t)) {
        const auto bits = core::ByteReader(data).read<std::uint16_t>("value").value_or(0);
        return fmt::format("{}", static_cast<float>(std::bit_cast<core::Half>(bits)));
    }
    if (type.isScalar && type.text.starts_with("int8") && data.size() == 1) {
        return fmt::to_string(static_cast<int>(static_cast<std::int8_t>(data.front())));
    }
    if (type.isScalar && type.text.starts_with("uint8") && data.size() == 1) {
        return fmt::to_string(std::to_integer<unsigned>(data.front()));
    }
    return {};
}

Result<> readImmediate(Bytes message, ConstantValue& value) {
    Elements elements(value.type.isScalar);
    bool isTensor = false;
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        if (field.number != 1) {
            return {};
        }
        isTensor = true;
        return forEachField(field.bytes,
                            [&](const ProtobufField& kind) { return addTensor(kind, elements); });
    }));
    value.data = elements.data;
    value.text = isTensor ? elements.take() : "";
    if (!value.data.empty() && (value.text.empty() || value.text == "[]")) {
        value.text = bytesText(value.type, value.data);
    }
    return {};
}

}  // namespace

Result<ValueType> readType(Bytes message) {
    return readTypeAt(message, 0);
}

Result<NamedType> readNamedType(Bytes message) {
    NamedType named;
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        if (field.number == 1) {
            named.name = field.text();
        } else if (field.number == 2) {
            ET_ASSIGN(named.type, readType(field.bytes));
        }
        return {};
    }));
    return named;
}

Result<ConstantValue> readValue(Bytes message) {
    ConstantValue value;
    Bytes immediate;
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        if (field.number == 2) {
            ET_ASSIGN(value.type, readType(field.bytes));
        } else if (field.number == 3) {
            immediate = field.bytes;
        } else if (field.number == 5) {
            return forEachField(field.bytes, [&](const ProtobufField& each) -> Result<> {
                if (each.number == 1) {
                    value.fileName = each.text();
                } else if (each.number == 2) {
                    value.offset = each.value;
                }
                return {};
            });
        }
        return {};
    }));
    ET_TRY(readImmediate(immediate, value));
    return value;
}

Result<WeightBlob> readBlob(Bytes file, std::uint64_t offset) {
    constexpr std::uint32_t sentinel = 0xDEADBEEF;
    core::ByteReader reader(file);
    ET_TRY(reader.seek(offset, "weight metadata"));
    ET_ASSIGN(const auto mark, reader.read<std::uint32_t>("weight metadata"));
    if (mark != sentinel) {
        return core::fail(ErrorCode::Format,
                          fmt::format("expected the metadata of a weight ({:#x}), got {:#x}", sentinel, mark),
                          {.file = {}, .field = "weight metadata", .offset = offset});
    }
    ET_ASSIGN(const auto type, reader.read<std::uint32_t>("weight dtype"));
    ET_ASSIGN(const auto size, reader.read<std::uint64_t>("weight size"));
    ET_ASSIGN(const auto at, reader.read<std::uint64_t>("weight offset"));
    WeightBlob blob{.dtype = type < blobTypes.size() ? blobTypes[type] : std::string_view{}};
    ET_ASSIGN(blob.data, payloadPart(file, at, size, "weight offset"));
    return blob;
}

}  // namespace et::backends::coreml
