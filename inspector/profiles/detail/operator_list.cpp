#include "inspector/profiles/detail/operator_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::inspector::profiles::detail {

using core::ErrorCode;
using core::fail;
using core::Result;

Result<ProfiledOperator*> OperatorList::named(std::string_view name) {
    const auto known = places.find(name);
    return known == places.end() ? add(name) : &operators[known->second];
}

Result<ProfiledOperator*> OperatorList::add(std::string_view name) {
    if (operators.size() == maxProfiledOperators) {
        return fail(ErrorCode::Limit, fmt::format("expected at most {} operators", maxProfiledOperators));
    }
    std::string unique(name);
    std::size_t& number = repetitions.try_emplace(unique, 1).first->second;
    while (places.contains(unique)) {
        unique = fmt::format("{} #{}", name, ++number);
    }
    places.emplace(unique, operators.size());
    return &operators.emplace_back(ProfiledOperator{.name = std::move(unique)});
}

Result<> OperatorList::addTime(ProfiledOperator& to, double time) {
    if (++times > maxProfiledTimes) {
        return fail(ErrorCode::Limit, fmt::format("expected at most {} times", maxProfiledTimes));
    }
    to.times.push_back(time);
    return {};
}

const std::string* columnOf(const ProfileColumns& columns, std::string_view name) {
    const auto found =
        std::ranges::find(columns, name, [](const auto& each) { return std::string_view(each.first); });
    return found == columns.end() ? nullptr : &found->second;
}

Result<> addMembers(const archive::JsonValue& object, std::string_view except, ProfiledOperator& to) {
    return object.forEachMember([&](std::string_view key, const archive::JsonValue& value) -> Result<> {
        if (key != except) {
            const auto text = value.string();
            to.columns.emplace_back(key, value.isString() && text ? std::string(*text) : value.text());
        }
        return {};
    });
}

}  // namespace et::inspector::profiles::detail
