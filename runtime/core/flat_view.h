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

// For the readers of flatbuffer formats; needs flatbuffers and is therefore not installed.
namespace et::core {

/// Where a reader is in a file: a chain on the stack that becomes text ("values[3].sizes") only in an error.
/// Each link must outlive the links made from it.
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

/// A flatbuffer inside a file: verified before access, with errors that speak of the file's offsets. It also
/// bounds what a reader copies out: a hostile flatbuffer may name the same bytes a million times, so all that
/// is copied together may be no longer than a few times the flatbuffer itself.
class FlatView {
  public:
    /// `flat` starts at byte `base` of the file that errors speak of. Borrows the bytes.
    FlatView(Bytes flat, std::uint64_t base)
        : bytes(flat), origin(base), budget(copiesAllowed * flat.size() + spareBudget) {}

    /// Whether this may be a flatbuffer with this identifier, such as "ET12", before its tables are looked
    /// at. Errors: Format (too short, another identifier, not aligned to 8 bytes), Limit (too large for the
    /// format).
    [[nodiscard]] Result<> checkStart(std::string_view identifier) const;

    /// The root table, after verifying all tables. Errors: as checkStart, and Format (damaged).
    template <class Root>
    [[nodiscard]] Result<const Root*> root(std::string_view identifier) const {
        ET_TRY(checkStart(identifier));
        const auto* start = reinterpret_cast<const std::uint8_t*>(bytes.data());
        flatbuffers::Verifier verifier(start, bytes.size(), verifierOptions());
        if (!verifier.VerifyBuffer<Root>(nullptr)) {
            return damaged();
        }
        return flatbuffers::GetRoot<Root>(start);
    }

    /// An error at `place`, something inside the flatbuffer; null: the offset is not known.
    [[nodiscard]] [[gnu::cold]] std::unexpected<Error> fail(ErrorCode code, const FieldPath& path,
                                                            const void* place, std::string message) const;

    /// A text that the format wants. Errors: Format when it is missing or empty.
    [[nodiscard]] Result<std::string_view> required(const flatbuffers::String* text, const FieldPath& path,
                                                    const void* table) const;

    /// The elements of a vector, none where the file leaves it out. Errors: Limit.
    template <class To, class From>
    [[nodiscard]] Result<std::vector<To>> copy(const flatbuffers::Vector<From>* from, const FieldPath& path) {
        std::vector<To> all;
        return copyInto(all, from, path).transform([&] { return std::move(all); });
    }

    /// The same into a list that is empty.
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

    /// Each element of a vector through `read(element, path)`, which gives a Result; stops at the first
    /// error. Tables are handed as `const Table*`, never null.
    template <class From, class Read>
    [[nodiscard]] auto map(const flatbuffers::Vector<From>* from, const FieldPath& path, Read&& read) {
        using Got = std::invoke_result_t<Read&, decltype(element(*from, 0)), const FieldPath&>;
        std::vector<typename Got::value_type> all;
        return mapInto(all, from, path, read).transform([&] { return std::move(all); });
    }

    /// Each element of a vector behind those of `all`, where `read(element, path, item)` makes the new item
    /// out of it; stops at the first error.
    template <class To, class From, class Read>
    [[nodiscard]] Result<> append(std::vector<To>& all, const flatbuffers::Vector<From>* from,
                                  const FieldPath& path, Read&& read) {
        return extend(all, from, path, [&](const auto& item, const FieldPath& at) {
            return std::invoke(read, item, at, all.emplace_back());
        });
    }

    /// The table in a union whose kind says `Table`; `content` must not be null.
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

    [[nodiscard]] flatbuffers::Verifier::Options verifierOptions() const;
    [[nodiscard]] [[gnu::cold]] std::unexpected<Error> damaged() const;
    [[nodiscard]] Result<> claim(std::uint64_t size, const FieldPath& path, const void* place);

    /// Element `i`. Numbers are not read in place: the Verifier of flatbuffers checks where a vector starts,
    /// but not that its elements of eight bytes are aligned.
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

    /// `add(element, path)` puts each element of `from` behind those of `all`.
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
    std::uint64_t budget;  ///< bytes that may still be copied
};

}  // namespace et::core
