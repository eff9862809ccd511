#pragma once

#include "inspector/tokenizers/tokenizer.h"

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::inspector::tokenizers::detail {

/// Hash for maps with heterogeneous lookup.
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

/// Cache of the tokens of words. Its memory is bounded: it is cleared when full. A tokenizer holds its lock
/// for the duration of an encode().
class WordCache {
  public:
    static constexpr std::size_t longestWord = 128;

    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex); }

    /// Appends the tokens of a cached word; false if it is not cached.
    [[nodiscard]] bool append(std::string_view word, std::vector<TokenId>& ids) const {
        const auto found = words.find(word);
        if (found == words.end()) {
            return false;
        }
        const auto begin = pool.begin() + found->second.begin;
        ids.insert(ids.end(), begin, begin + found->second.count);
        return true;
    }

    /// Caches ids[from...] as the tokens of a word.
    void note(std::string_view word, const std::vector<TokenId>& ids, std::size_t from) {
        if (word.size() > longestWord) {
            return;
        }
        if (words.size() >= mostWords) {
            words.clear();
            pool.clear();
        }
        words.emplace(word, Range{.begin = static_cast<std::uint32_t>(pool.size()),
                                  .count = static_cast<std::uint32_t>(ids.size() - from)});
        pool.insert(pool.end(), ids.begin() + static_cast<std::ptrdiff_t>(from), ids.end());
    }

  private:
    static constexpr std::size_t mostWords = 200'000;
    struct Range {
        std::uint32_t begin;
        std::uint32_t count;
    };
    TextMap<Range> words;
    std::vector<TokenId> pool;
    std::mutex mutex;
};

}  // namespace et::inspector::tokenizers::detail
