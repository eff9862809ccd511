#pragma once

#include "runtime/core/json_writer.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::output {

/// Texts of a page, each written once and referenced by number. 0 is the empty text.
class PageTexts {
  public:
    PageTexts() { number({}); }

    std::size_t number(std::string_view text) {
        const auto [at, fresh] = numbers.try_emplace(std::string(text), order.size());
        if (fresh) {
            order.push_back(&at->first);
        }
        return at->second;
    }

    void write(core::JsonWriter& out) const {
        out.beginArray();
        for (const std::string* const text : order) {
            out.string(*text);
        }
        out.endArray();
    }

  private:
    std::unordered_map<std::string, std::size_t> numbers;
    std::vector<const std::string*> order;
};

}  // namespace et::output
