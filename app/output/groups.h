#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace et::output {

/// Items by key, in the order in which the keys first appear: what repeats shares a line of text.
template <class Key, class Item>
class Groups {
  public:
    void add(Key key, Item item) {
        const auto [found, isNew] = positions.try_emplace(key, all.size());
        if (isNew) {
            all.emplace_back(std::move(key), std::vector<Item>());
        }
        all[found->second].second.push_back(std::move(item));
    }
    [[nodiscard]] const std::vector<std::pair<Key, std::vector<Item>>>& inOrder() const { return all; }

  private:
    std::map<Key, std::size_t> positions;
    std::vector<std::pair<Key, std::vector<Item>>> all;
};

}  // namespace et::output
