#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace et::core {

/// The bytes of a file to be written, as a sequence of pieces. Weights are borrowed, so that writing a large
/// file takes no memory for a copy of them.
class FileContent {
  public:
    FileContent() = default;
    explicit FileContent(std::vector<std::byte> bytes) { append(std::move(bytes)); }
    /// The content of an existing file, which it keeps open.
    explicit FileContent(std::shared_ptr<const MappedFile> file);

    void append(std::vector<std::byte> bytes);
    /// Appends the pieces of `other` and shares its owners.
    void append(const FileContent& other);
    /// Appends bytes that must outlive this object, or belong to an owner added by keepAlive().
    void appendBorrowed(Bytes bytes);
    void appendZeros(std::uint64_t count);
    /// Keeps `owner` as long as this object and its copies.
    void keepAlive(std::shared_ptr<const void> owner) { owners.push_back(std::move(owner)); }

    [[nodiscard]] std::uint64_t size() const { return total; }
    /// In order; none is empty.
    [[nodiscard]] std::span<const Bytes> pieces() const { return all; }
    /// `count` bytes at `offset`; nothing if they are in several pieces or beyond the end.
    [[nodiscard]] std::optional<Bytes> place(std::uint64_t offset, std::uint64_t count) const;
    /// Copies bytes at `offset`. Returns false, and copies nothing, if they are beyond the end.
    bool copy(std::uint64_t offset, std::span<std::byte> to) const;
    /// `count` bytes at `offset`, in the same pieces and with the same owners; empty if they are beyond the
    /// end.
    [[nodiscard]] FileContent part(std::uint64_t offset, std::uint64_t count) const;
    /// A copy of all bytes.
    [[nodiscard]] std::vector<std::byte> joined() const;

  private:
    [[nodiscard]] bool has(std::uint64_t offset, std::uint64_t count) const;
    /// Calls `take` with each part of a range that is in one piece; the range ends before the end.
    template <class Take>
    void eachPiece(std::uint64_t offset, std::uint64_t count, Take take) const;

    std::vector<Bytes> all;
    std::vector<std::uint64_t> offsets;  ///< of the pieces
    std::vector<std::shared_ptr<const void>> owners;
    std::uint64_t total = 0;
};

}  // namespace et::core
