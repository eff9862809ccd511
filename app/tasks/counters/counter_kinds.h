#pragma once

#include "inspector/join/counter_kinds.h"

namespace et::tasks {

using inspector::Counter;
using inspector::counterKinds;
using inspector::CounterTraits;
using inspector::counterTraits;
using inspector::traitsOf;

}  // namespace et::tasks
