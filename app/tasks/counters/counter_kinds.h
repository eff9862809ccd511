#pragma once

#include "inspector/join/counter_kinds.h"

namespace et::tasks {

using inspector::Counter;
using inspector::CounterInfo;
using inspector::counterInfos;
using inspector::counterKinds;
using inspector::infoOf;

}  // namespace et::tasks
