#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace et::backends::coreml {

/// A field of a protobuf message.
struct ProtobufField {
    std::uint32_t number = 0;
    std::uint64_t value = 0;  ///< of a varint, or of 32 or 64 fixed bits
    core::Bytes bytes{};      ///< of a text, message or packed list; empty otherwise
    bool isLengthDelimited = false;

    [[nodiscard]] std::string_view text() const { return core::textOf(bytes); }
};

/// Reads the fields of a protobuf message in their order, whatever its schema. Borrows the bytes.
class ProtobufReader {
  public:
    explicit ProtobufReader(core::Bytes message) : rest(message) {}

    [[nodiscard]] bool isAtEnd() const { return rest.empty(); }
    /// Must not be called at the end. Errors: Format (cut off, a group or an unknown wire type).
    [[nodiscard]] core::Result<ProtobufField> next();
    /// Reads a number, such as one of a packed list. Errors: Format.
    [[nodiscard]] core::Result<std::uint64_t> varint();

  private:
    [[nodiscard]] core::Result<core::Bytes> take(std::uint64_t size);

    core::Bytes rest;
};

/// Calls `visit(ProtobufField)` -> Result<> for each field; stops at the first error.
template <class Visit>
[[nodiscard]] core::Result<> forEachField(core::Bytes message, Visit&& visit) {
    ProtobufReader reader(message);
    while (!reader.isAtEnd()) {
        ET_ASSIGN(const ProtobufField field, reader.next());
        ET_TRY(visit(field));
    }
    return {};
}

}  // namespace et::backends::coreml
