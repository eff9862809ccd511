#pragma once

#include "inspector/delegates/delegates.h"

namespace et::inspector {

/// Says for every measured delegate call which of its time is whose (DelegateCallSite::operators, parts),
/// where the delegate traced its operators. Needs MethodDelegates::times. What an operator computes is known
/// from what the delegate wrote beside its event, from the record's map, or from the names of all operators
/// of the call, where the backend can tell.
void reconcile(MethodDelegates& method, const DelegateSources& sources, bool onlyMethod);

}  // namespace et::inspector
