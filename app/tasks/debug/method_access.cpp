#include "app/tasks/debug/detail/method_access.h"

#include <utility>

namespace et::tasks {

MethodAccess::MethodAccess(const program::Method& method) {
    program::AccessReader reader(method);
    bool isReadable = true;
    for (const program::Chain& chain : method.chains) {
        auto& accesses = chains.emplace_back(chain.instructions.size());
        for (std::size_t i = 0; i < accesses.size() && isReadable; ++i) {
            auto access = reader.next(chain.instructions[i]);
            isReadable = access.has_value();
            if (access) {
                accesses[i] = *std::move(access);
            }
        }
    }
}

}  // namespace et::tasks
