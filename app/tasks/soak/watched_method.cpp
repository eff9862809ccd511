#include "app/tasks/soak/watched_method.h"

#include "inspector/memory/memory_timeline.h"

#include <algorithm>
#include <utility>

namespace et::tasks {

using core::Result;

WatchedMethod::WatchedMethod(const Model& from, std::byte pattern, std::uint64_t room, bool inside)
    : poison(pattern), watch(&poison, room, inside), model(from), module(from.newModule(&watch)) {
}

Result<> WatchedMethod::load(std::string_view name) {
    auto done = module.load(name);
    if (!done) {
        return std::unexpected(errorOfProgram(std::move(done).error(), *model.program));
    }
    loaded = *done;
    return poison.watch(*loaded);
}

Result<> WatchedMethod::run(const std::function<Result<>(executor::Method&)>& give) {
    poison.beforeInputs();
    ET_TRY(give(*loaded));
    return loaded->execute();
}

}  // namespace et::tasks
