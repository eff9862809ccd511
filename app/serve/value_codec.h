#pragma once

#include "app/serve/object_table.h"
#include "app/serve/shared_memory.h"
#include "app/serve/value.h"
#include "app/wire/codec.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

// Encoding of values (python/et_inspect/_values.py is the other side): a tag in one byte and the content.
// Bytes of arrays and blobs are in the message, aligned to 16 bytes, or in shared memory.
namespace et::serve {

/// An encoded message, and the shared memory that it refers to by position.
struct Message {
    std::vector<std::byte> payload;
    std::vector<std::shared_ptr<const SharedMemory>> memory;
};

class ValueWriter {
  public:
    /// `sharesMemory`: the reader can receive descriptors.
    ValueWriter(ObjectTable& table, bool sharesMemory) : objects(table), shares(sharesMemory) {}

    void add(const Value& value);
    void addNumber(std::uint64_t number) { out.add(number); }
    /// Returns the message. Errors: Io (no shared memory).
    [[nodiscard]] core::Result<Message> take();
    /// Numbers of the objects of the message, which it has added to the table.
    [[nodiscard]] const std::vector<std::uint64_t>& added() const { return numbers; }

  private:
    void addContent(const Value& value);
    void addItems(const List& items);
    void addBytes(core::Bytes bytes, const std::shared_ptr<const SharedMemory>& shared);
    void addArray(const Array& array);

    ObjectTable& objects;
    bool shares;
    wire::Encoder out;
    std::vector<std::uint64_t> numbers;
    std::vector<std::shared_ptr<const SharedMemory>> memory;
    std::vector<core::Bytes> large;  ///< bytes that take() copies to shared memory
    std::size_t largePlace = 0;      ///< position of that memory in `memory`
    std::size_t largeBytes = 0;
};

/// Decodes values. Objects of the table and bytes of the arena stay valid with the value.
class ValueReader {
  public:
    ValueReader(wire::Decoder& from, const ObjectTable& table, std::shared_ptr<const SharedMemory> shared)
        : in(from), objects(table), arena(std::move(shared)) {}

    /// Errors: Format, Limit (too deeply nested), NotFound (no such object).
    [[nodiscard]] core::Result<Value> read();

  private:
    [[nodiscard]] core::Result<Value> readScalar(std::uint8_t tag);
    [[nodiscard]] core::Result<Value> readContainer(std::uint8_t tag);
    [[nodiscard]] core::Result<List> readItems();
    [[nodiscard]] core::Result<Value> readDict();
    [[nodiscard]] core::Result<Value> readArray();
    [[nodiscard]] core::Result<Value> readObject();
    [[nodiscard]] core::Result<Blob> readBytes();

    wire::Decoder& in;
    const ObjectTable& objects;
    std::shared_ptr<const SharedMemory> arena;
    int depth = 0;
};

}  // namespace et::serve
