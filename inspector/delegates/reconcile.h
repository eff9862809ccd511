#pragma once

#include "inspector/delegates/delegates.h"

namespace et::inspector {

/// Attributes the time of every measured delegate call (DelegateCallSite::operators, parts) if the delegate
/// traced its operators. Requires MethodDelegates::times. An operator's nodes are found from the metadata of
/// its event, from the record's map, or from the names of all operators of the call, if the backend supports
/// that.
void reconcile(MethodDelegates& method, const DelegateSources& sources, bool onlyMethod);

}  // namespace et::inspector
