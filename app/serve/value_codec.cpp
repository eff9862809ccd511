#include "app/serve/value_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace et::serve {
namespace {

using core::ErrorCode;
using core::Result;
using wire::Encoder;

enum class Tag : std::uint8_t {
    None,
    False,
    True,
    Int,
    Unsigned,
    Double,
    Text,
    EscapedText,
    Blob,
    Array,
    Object,
    Unknown,
    List,
    Tuple,
    Dict
};
constexpr std::uint8_t tagCount = 15;

constexpr std::size_t alignment = 16;
/// Maximum number of descriptors in a message, besides one for all bytes that had to be copied.
constexpr std::size_t maxPassed = 32;
constexpr int maxDepth = 64;
constexpr std::size_t maxDimensions = 64;

void addTag(Encoder& out, Tag tag) {
    out.add(static_cast<std::uint8_t>(tag));
}

void addSizes(Encoder& out, const std::vector<std::int64_t>& sizes) {
    out.list(sizes, [](Encoder& each, std::int64_t size) { each.add(size); });
}

Result<std::vector<std::int64_t>> readSizes(wire::Decoder& in, std::string_view field) {
    ET_ASSIGN(const std::uint32_t count, in.count(field, sizeof(std::int64_t)));
    if (count > maxDimensions) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("expected at most {} dimensions, got {}", maxDimensions, count));
    }
    std::vector<std::int64_t> sizes(count);
    for (std::int64_t& size : sizes) {
        ET_ASSIGN(size, in.number<std::int64_t>(field));
    }
    return sizes;
}

}  // namespace

void ValueWriter::add(const Value& value) {
    if (value.isNone()) {
        addTag(out, Tag::None);
    } else if (const auto* const truth = value.as<bool>()) {
        addTag(out, *truth ? Tag::True : Tag::False);
    } else if (const auto* const integer = value.as<std::int64_t>()) {
        addTag(out, Tag::Int);
        out.add(*integer);
    } else if (const auto* const number = value.as<std::uint64_t>()) {
        addTag(out, Tag::Unsigned);
        out.add(*number);
    } else if (const auto* const real = value.as<double>()) {
        addTag(out, Tag::Double);
        out.add(*real);
    } else if (const auto* const text = value.as<Text>()) {
        addTag(out, text->escaped ? Tag::EscapedText : Tag::Text);
        out.text(text->bytes);
    } else {
        addContent(value);
    }
}

void ValueWriter::addContent(const Value& value) {
    if (const auto* const blob = value.as<Blob>()) {
        addTag(out, Tag::Blob);
        addBytes(blob->bytes, nullptr);
    } else if (const auto* const array = value.as<Array>()) {
        addArray(*array);
    } else if (const auto* const object = value.as<Object>()) {
        addTag(out, Tag::Object);
        out.add(numbers.emplace_back(objects.add(*object)));
    } else if (const auto* const list = value.as<List>()) {
        addTag(out, Tag::List);
        addItems(*list);
    } else if (const auto* const tuple = value.as<Tuple>()) {
        addTag(out, Tag::Tuple);
        addItems(tuple->items);
    } else if (const auto* const dict = value.as<Dict>()) {
        addTag(out, Tag::Dict);
        out.add(static_cast<std::uint32_t>(dict->entries.size()));
        for (const auto& [key, item] : dict->entries) {
            add(key);
            add(item);
        }
    } else {
        addTag(out, Tag::None);
    }
}

void ValueWriter::addItems(const List& items) {
    out.add(static_cast<std::uint32_t>(items.size()));
    for (const Value& item : items) {
        add(item);
    }
}

void ValueWriter::addArray(const Array& array) {
    addTag(out, Tag::Array);
    out.add(static_cast<std::uint8_t>(array.type.kind)).add(array.type.bytes).add(array.writable);
    addSizes(out, array.sizes);
    addSizes(out, array.strides);
    addBytes(array.bytes, array.shared);
}

void ValueWriter::addBytes(core::Bytes bytes, const std::shared_ptr<const SharedMemory>& shared) {
    const auto known = std::ranges::find(memory, shared);
    const bool isPassed = shared != nullptr && (known != memory.end() || memory.size() < maxPassed);
    const bool isShared = shares && (isPassed || bytes.size() > maxInlineBytes);
    out.add(isShared);
    if (!isShared) {
        const std::size_t start = out.size() + 1 + sizeof(std::uint64_t);
        const std::size_t padding = (alignment - start % alignment) % alignment;
        out.add(static_cast<std::uint8_t>(padding));
        for (std::size_t i = 0; i < padding; ++i) {
            out.add(std::uint8_t{0});
        }
        out.block(bytes);
        return;
    }
    std::size_t place = largePlace;
    std::size_t offset = largeBytes;
    if (isPassed) {
        place = static_cast<std::size_t>(known - memory.begin());
        offset = static_cast<std::size_t>(bytes.data() - shared->bytes().data());
    } else {
        if (large.empty()) {
            place = largePlace = memory.size();
        }
        large.push_back(bytes);
        largeBytes += paddedSize(bytes.size());
    }
    if (place == memory.size()) {
        memory.push_back(isPassed ? shared : nullptr);
    }
    out.add(static_cast<std::uint8_t>(place)).add(std::uint64_t{offset}).add(std::uint64_t{bytes.size()});
}

Result<Message> ValueWriter::take() {
    if (!large.empty()) {
        ET_ASSIGN(const std::shared_ptr<SharedMemory> gathered, SharedMemory::make(largeBytes));
        std::span<std::byte> rest = gathered->bytes();
        for (const core::Bytes bytes : large) {
            std::ranges::copy(bytes, rest.begin());
            rest = rest.subspan(paddedSize(bytes.size()));
        }
        memory[largePlace] = gathered;
    }
    return Message{.payload = out.take(), .memory = std::move(memory)};
}

Result<Value> ValueReader::read() {
    ET_ASSIGN(const auto tag, in.choice<std::uint8_t>("tag of a value", tagCount));
    if (tag < static_cast<std::uint8_t>(Tag::Blob)) {
        return readScalar(tag);
    }
    if (depth == maxDepth) {
        return core::fail(ErrorCode::Limit, fmt::format("values are nested more than {} deep", maxDepth));
    }
    ++depth;
    auto value = readContainer(tag);
    --depth;
    return value;
}

Result<Value> ValueReader::readScalar(std::uint8_t tag) {
    switch (static_cast<Tag>(tag)) {
        case Tag::False:
            return Value(false);
        case Tag::True:
            return Value(true);
        case Tag::Int:
            return in.number<std::int64_t>("integer").transform([](auto number) { return Value(number); });
        case Tag::Unsigned:
            return in.number<std::uint64_t>("integer").transform([](auto number) { return Value(number); });
        case Tag::Double:
            return in.real("number").transform([](double number) { return Value(number); });
        case Tag::Text:
        case Tag::EscapedText:
            return in.text("text").transform(
                [](std::string_view text) { return Value(Text{.bytes = std::string(text)}); });
        default:
            return Value();
    }
}

Result<Value> ValueReader::readContainer(std::uint8_t tag) {
    switch (static_cast<Tag>(tag)) {
        case Tag::Blob:
            return readBytes().transform([](Blob blob) { return Value(std::move(blob)); });
        case Tag::Array:
            return readArray();
        case Tag::Object:
            return readObject();
        case Tag::Unknown:
            return in.text("type").transform(
                [](std::string_view name) { return Value(Unknown{std::string(name)}); });
        case Tag::List:
            return readItems().transform([](List items) { return Value(std::move(items)); });
        case Tag::Tuple:
            return readItems().transform([](List items) { return Value(Tuple{std::move(items)}); });
        default:
            return readDict();
    }
}

Result<List> ValueReader::readItems() {
    ET_ASSIGN(const std::uint32_t count, in.count("items", 1));
    List items;
    for (std::uint32_t i = 0; i < count; ++i) {
        ET_ASSIGN(Value item, read());
        items.push_back(std::move(item));
    }
    return items;
}

Result<Value> ValueReader::readDict() {
    ET_ASSIGN(const std::uint32_t count, in.count("entries", 2));
    Dict dict;
    for (std::uint32_t i = 0; i < count; ++i) {
        ET_ASSIGN(Value key, read());
        ET_ASSIGN(Value item, read());
        dict.entries.emplace_back(std::move(key), std::move(item));
    }
    return Value(std::move(dict));
}

Result<Value> ValueReader::readArray() {
    Array array;
    ET_ASSIGN(const auto kind, in.number<std::uint8_t>("kind of elements"));
    array.type.kind = static_cast<char>(kind);
    ET_ASSIGN(array.type.bytes, in.number<std::uint8_t>("size of elements"));
    ET_ASSIGN(const auto device, in.number<std::uint8_t>("device"));
    array.device = device;
    ET_ASSIGN(array.sizes, readSizes(in, "sizes"));
    ET_ASSIGN(array.strides, readSizes(in, "strides"));
    ET_ASSIGN(Blob elements, readBytes());
    array.bytes = elements.bytes;
    array.owner = std::move(elements.owner);
    return Value(std::move(array));
}

Result<Value> ValueReader::readObject() {
    ET_ASSIGN(const auto number, in.number<std::uint64_t>("object"));
    Object found = objects.find(number);
    if (found.pointer == nullptr) {
        return core::fail(ErrorCode::NotFound, fmt::format("no object {}", number));
    }
    return Value(std::move(found));
}

Result<Blob> ValueReader::readBytes() {
    ET_ASSIGN(const bool isShared, in.truth("place of bytes"));
    if (!isShared) {
        ET_ASSIGN(const auto padding, in.choice<std::uint8_t>("padding", alignment));
        for (std::uint8_t i = 0; i < padding; ++i) {
            ET_TRY(in.number<std::uint8_t>("padding").transform([](auto) {}));
        }
        return in.block("bytes").transform([](core::Bytes bytes) { return Blob{.bytes = bytes}; });
    }
    ET_TRY(in.number<std::uint8_t>("memory").transform([](auto) {}));
    ET_ASSIGN(const auto offset, in.number<std::uint64_t>("offset"));
    ET_ASSIGN(const auto size, in.number<std::uint64_t>("size"));
    const std::size_t available = arena == nullptr ? 0 : arena->bytes().size();
    if (offset > available || size > available - offset) {
        return core::fail(
            ErrorCode::Format,
            fmt::format("expected bytes within shared memory of {}, got {} at {}", available, size, offset));
    }
    return Blob{.bytes = core::Bytes(arena->bytes()).subspan(offset, size), .owner = arena};
}

}  // namespace et::serve
