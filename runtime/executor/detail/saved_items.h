#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

namespace et::executor::detail {

/// A copy of an array that shares equal blocks with an earlier copy of the same array.
template <class Item>
class SavedItems {
  public:
    /// `isSame(index, saved)` compares an item with a saved one; `make(index)` copies it.
    template <class IsSame, class Make>
    [[nodiscard]] static SavedItems copy(std::size_t count, const SavedItems* previous, const IsSame& isSame,
                                         const Make& make) {
        SavedItems saved;
        saved.count = count;
        for (std::size_t at = 0; at < count; at += blockItems) {
            const std::size_t end = std::min(at + blockItems, count);
            if (previous != nullptr && previous->count == count) {
                const auto& before = previous->blocks[at / blockItems];
                std::size_t i = at;
                while (i < end && isSame(i, (*before)[i - at])) {
                    ++i;
                }
                if (i == end) {
                    saved.blocks.push_back(before);
                    continue;
                }
            }
            auto block = std::make_shared<std::vector<Item>>();
            block->reserve(end - at);
            for (std::size_t i = at; i < end; ++i) {
                block->push_back(make(i));
            }
            saved.blocks.push_back(std::move(block));
        }
        return saved;
    }

    [[nodiscard]] std::size_t size() const { return count; }
    [[nodiscard]] const Item& operator[](std::size_t at) const {
        return (*blocks[at / blockItems])[at % blockItems];
    }

    /// Size of its blocks that are not yet in `counted`, to which they are added.
    [[nodiscard]] std::uint64_t countBytes(std::unordered_set<const void*>& counted) const {
        std::uint64_t total = blocks.size() * sizeof(blocks.front());
        for (const auto& block : blocks) {
            total += counted.insert(block.get()).second ? block->size() * sizeof(Item) : 0;
        }
        return total;
    }

  private:
    static constexpr std::size_t blockItems = 64;

    std::size_t count = 0;
    std::vector<std::shared_ptr<const std::vector<Item>>> blocks;
};

}  // namespace et::executor::detail
