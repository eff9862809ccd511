#pragma once

#include "etdump/detail/content_budget.h"
#include "etdump/trace.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::etdump::detail {

/// Assigns equal strings equal ids, in order of first appearance. The texts are borrowed, not copied.
///
/// The runtime writes names again for every event, so a trace contains millions of copies of a few hundred
/// names: short strings are looked up by content in a hash table with open addressing. Long ones are looked
/// up by address first, and the budget bounds how many bytes of them are hashed. Excessive hash collisions,
/// which only occur in malicious files, go to an ordered map, so that no lookup is linear.
class NameTable {
  public:
    explicit NameTable(ContentBudget& contentBudget);

    /// noName if the budget is exceeded.
    [[nodiscard]] NameId intern(std::string_view text);

    /// All texts by id.
    [[nodiscard]] std::vector<std::string_view> take() && { return std::move(texts); }

  private:
    struct Slot {
        std::uint32_t hash = 0;
        NameId id = noName;
    };

    NameId internByContent(std::string_view text);
    NameId add(std::string_view text, std::uint32_t hash);
    void place(NameId id);
    void grow();

    ContentBudget* budget;
    std::vector<std::string_view> texts;
    std::vector<std::uint32_t> hashes;                    ///< by id
    std::vector<Slot> slots;                              ///< a power of two, at most half full
    std::map<std::string_view, NameId> crowded;           ///< texts without a free slot near their hash
    std::unordered_map<const char*, NameId> longStrings;  ///< by address
};

}  // namespace et::etdump::detail
