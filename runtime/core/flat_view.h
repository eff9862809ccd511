#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Support for readers of flatbuffer formats; depends on flatbuffers and is therefore not installed.
namespace et::core {

/// Position of a reader in a file: a linked list on the stack, converted to text ("values[3].sizes") only for
/// errors. Each link must outlive the links created from it.
class FieldPath {
  public:
    constexpr FieldPath() = default;

    [[nodiscard]] constexpr FieldPath field(std::string_view part) const& {
        return FieldPath(this, part, -1);
    }
    [[nodiscard]] constexpr FieldPath at(std::size_t element) const& {
        return FieldPath(this, {}, static_cast<std::int64_t>(element));
    }
    FieldPath field(std::string_view part) const&& = delete;
    FieldPath at(std::size_t element) const&& = delete;

    [[nodiscard]] std::string toString() const;

  private:
    constexpr FieldPath(const FieldPath* o, std::string_view n, std::int64_t i)
        : outer(o), name(n), index(i) {}

    const FieldPath* outer = nullptr;
    std::string_view name;
    std::int64_t index = -1;
};

/// A flatbuffer inside a file: verified before access, with file offsets in errors. It also limits the total
/// size of copies to a small multiple of the flatbuffer, since a malicious one may refer to the same bytes a
/// million times.
class FlatView {
  public:
    /// `flat` starts at byte `base` of the file named in errors. Borrows the bytes.
    FlatView(Bytes flat, std::uint64_t base)
        : bytes(flat), origin(base), budget(copiesAllowed * flat.size() + spareBudget) {}

    /// Checks the start of a flatbuffer with this identifier, such as "ET12" (empty: the format has none),
    /// without reading its tables. Errors: Format (too short, another identifier, not aligned to 8 bytes),
    /// Limit (too large for the format).
    [[nodiscard]] Result<> checkStart(std::string_view identifier) const;

    /// Above the nesting depth of tables in formats without recursion.
    static constexpr flatbuffers::uoffset_t usualDepth = 24;

    /// Verifies all tables, nested at most `depth` times, and returns the root. Errors: as checkStart, and
    /// Format (damaged).
    template <class Root>
    [[nodiscard]] Result<const Root*> root(std::string_view identifier,
                                           flatbuffers::uoffset_t depth = usualDepth) const {
        ET_TRY(checkStart(identifier));
        const auto* start = reinterpret_cast<const std::uint8_t*>(bytes.data());
        flatbuffers::Verifier verifier(start, bytes.size(), verifierOptions(depth));
        if (!verifier.VerifyBuffer<Root>(nullptr)) {
            return damaged();
        }
        return flatbuffers::GetRoot<Root>(start);
    }

    /// Returns an error at `place`, an address inside the flatbuffer; null: unknown offset.
    [[nodiscard]] [[gnu::cold]] std::unexpected<Error> fail(ErrorCode code, const FieldPath& path,
                                                            const void* place, std::string message) const;

    /// Returns a mandatory text. Errors: Format if it is missing or empty.
    [[nodiscard]] Result<std::string_view> required(const flatbuffers::String* text, const FieldPath& path,
                                                    const void* table) const;

    /// Copies the elements of a vector; empty if the vector is missing. Errors: Limit.
    template <class To, class From>
    [[nodiscard]] Result<std::vector<To>> copy(const flatbuffers::Vector<From>* from, const FieldPath& path) {
        std::vector<To> all;
        return copyInto(all, from, path).transform([&] { return std::move(all); });
    }

    /// As copy(), into an empty list.
    template <class List, class From>
    [[nodiscard]] Result<> copyInto(List& to, const flatbuffers::Vector<From>* from, const FieldPath& path) {
        if (from == nullptr) {
            return {};
        }
        ET_TRY(claim(std::uint64_t{from->size()} * sizeof(From), path, from));
        to.resize(from->size());
        for (flatbuffers::uoffset_t i = 0; i < from->size(); ++i) {
            to[i] = static_cast<typename List::value_type>(element(*from, i));
        }
        return {};
    }

    /// Maps the elements of a vector with `read(element, path)`, which returns a Result; stops at the first
    /// error. Tables are passed as `const Table*`, never null.
    template <class From, class Read>
    [[nodiscard]] auto map(const flatbuffers::Vector<From>* from, const FieldPath& path, Read&& read) {
        using Got = std::invoke_result_t<Read&, decltype(element(*from, 0)), const FieldPath&>;
        std::vector<typename Got::value_type> all;
        return mapInto(all, from, path, read).transform([&] { return std::move(all); });
    }

    /// Appends an item to `all` for each element of a vector; `read(element, path, item)` fills the new item.
    /// Stops at the first error.
    template <class To, class From, class Read>
    [[nodiscard]] Result<> append(std::vector<To>& all, const flatbuffers::Vector<From>* from,
                                  const FieldPath& path, Read&& read) {
        return extend(all, from, path, [&](const auto& item, const FieldPath& at) {
            return std::invoke(read, item, at, all.emplace_back());
        });
    }

    /// The table in a union of kind `Table`; `content` must not be null.
    template <class Table>
    [[nodiscard]] static const Table& unionAs(const void* content) {
        return *static_cast<const Table*>(content);
    }

    [[nodiscard]] static Bytes blob(const flatbuffers::Vector<std::uint8_t>* data) {
        return data == nullptr ? Bytes()
                               : Bytes(reinterpret_cast<const std::byte*>(data->data()), data->size());
    }

  private:
    static constexpr std::uint64_t copiesAllowed = 4;
    static constexpr std::uint64_t spareBudget = std::uint64_t{1} << 16;

    [[nodiscard]] flatbuffers::Verifier::Options verifierOptions(flatbuffers::uoffset_t depth) const;
    [[nodiscard]] [[gnu::cold]] std::unexpected<Error> damaged() const;
    [[nodiscard]] Result<> claim(std::uint64_t size, const FieldPath& path, const void* place);

    /// Element `i`. Numbers are copied, because the flatbuffers Verifier checks the start of a vector but not
    /// the alignment of its 8-byte elements.
    template <class From>
    [[nodiscard]] static auto element(const flatbuffers::Vector<From>& from, flatbuffers::uoffset_t i) {
        if constexpr (std::is_arithmetic_v<From>) {
            From value{};
            std::memcpy(&value, from.Data() + std::size_t{i} * sizeof(From), sizeof value);
            return flatbuffers::EndianScalar(value);
        } else {
            return from.Get(i);
        }
    }

    template <class To, class From, class Read>
    [[nodiscard]] Result<> mapInto(std::vector<To>& all, const flatbuffers::Vector<From>* from,
                                   const FieldPath& path, Read& read) {
        return extend(all, from, path, [&](const auto& item, const FieldPath& at) -> Result<> {
            auto got = std::invoke(read, item, at);
            if (!got) {
                return passOn(std::move(got).error());
            }
            all.push_back(*std::move(got));
            return {};
        });
    }

    /// Appends to `all` by calling `add(element, path)` for each element of `from`.
    template <class To, class From, class Add>
    [[nodiscard]] Result<> extend(std::vector<To>& all, const flatbuffers::Vector<From>* from,
                                  const FieldPath& path, const Add& add) {
        if (from == nullptr) {
            return {};
        }
        ET_TRY(claim(std::uint64_t{from->size()} * sizeof(From), path, from));
        all.reserve(all.size() + from->size());
        for (flatbuffers::uoffset_t i = 0; i < from->size(); ++i) {
            const FieldPath at = path.at(i);
            ET_TRY(add(element(*from, i), at));
        }
        return {};
    }

    Bytes bytes;
    std::uint64_t origin;
    std::uint64_t budget;  ///< number of bytes that may still be copied
};

}  // namespace et::core
