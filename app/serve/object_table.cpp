#include "app/serve/object_table.h"

#include <utility>

namespace et::serve {

std::uint64_t ObjectTable::add(Object object) {
    const std::lock_guard one(guard);
    objects.emplace(next, std::move(object));
    return next++;
}

Object ObjectTable::find(std::uint64_t number) const {
    const std::lock_guard one(guard);
    const auto found = objects.find(number);
    return found == objects.end() ? Object() : found->second;
}

void ObjectTable::remove(std::span<const std::uint64_t> numbers) {
    for (const std::uint64_t number : numbers) {
        Object removed;  // destroyed without the lock, because that may wait for a running method
        const std::lock_guard one(guard);
        if (const auto found = objects.find(number); found != objects.end()) {
            removed = std::move(found->second);
            objects.erase(found);
        }
    }
}

}  // namespace et::serve
