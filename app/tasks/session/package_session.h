#pragma once

#include "inspector/session/session.h"

#include <memory>

namespace et::tasks {

/// A session of a package (.ptn) with the program that runs it, lowered here, and the record of its graphs,
/// unless it has a program already. A package that cannot be lowered is left as it is, and the reason added
/// to Session::problems.
[[nodiscard]] std::shared_ptr<const inspector::Session> withPackageProgram(
    std::shared_ptr<const inspector::Session> session);

}  // namespace et::tasks
