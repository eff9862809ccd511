#pragma once

#include "runtime/core/flat_view.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace et::native::detail {

/// The values of a graph that are defined so far; borrowed from the flatbuffer.
using Names = std::unordered_set<std::string_view>;

/// Copies texts of a flatbuffer, and limits their total size: its tables can share them.
class Texts {
  public:
    using List = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

    Texts(core::FlatView& flat, std::size_t flatBytes)
        : view(flat), budget(copiesAllowed * flatBytes + spareBytes) {}

    /// A copy of a mandatory name. Errors: Format (missing or empty), Limit.
    [[nodiscard]] core::Result<std::string> name(const flatbuffers::String* text, const core::FieldPath& path,
                                                 const void* table);
    /// "" if it is missing. Errors: Limit.
    [[nodiscard]] core::Result<std::string> optional(const flatbuffers::String* text,
                                                     const core::FieldPath& path);
    [[nodiscard]] core::Result<std::vector<std::string>> list(const List* texts, const core::FieldPath& path);

    core::FlatView& view;

  private:
    static constexpr std::uint64_t copiesAllowed = 16;
    static constexpr std::uint64_t spareBytes = std::uint64_t{1} << 16;

    std::uint64_t budget;
};

/// The text, "" if it is missing; borrowed.
[[nodiscard]] inline std::string_view viewOf(const flatbuffers::String* text) {
    return text == nullptr ? std::string_view() : text->string_view();
}

/// Checks that a value is defined. `place`: of the reference, or null.
[[nodiscard]] core::Result<> checkDefined(const core::FlatView& view, const Names& defined,
                                          std::string_view name, const core::FieldPath& path,
                                          const void* place);

}  // namespace et::native::detail
