#include "inspector/names/joined_operators.h"

#include "inspector/names/plain_operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace et::inspector {

void JoinedOperators::add(std::string_view name, std::size_t rank) {
    std::string readable = plainOperator(name, rank);
    if (isQuantization(name)) {
        storage = storage.empty() ? std::move(readable) : storage;
    } else if (!std::ranges::contains(plain, readable)) {
        plain.push_back(std::move(readable));
    }
}

std::string JoinedOperators::text() const {
    constexpr std::size_t mostNamed = 3;
    if (plain.size() > mostNamed) {
        return {};
    }
    return plain.empty() ? storage : fmt::format("{}", fmt::join(plain, " + "));
}

}  // namespace et::inspector
