#pragma once

#include "inspector/tokenizers/detail/jinja_functions.h"
#include "inspector/tokenizers/detail/jinja_tree.h"

#include <string>
#include <utility>
#include <vector>

namespace et::inspector::detail::jinja {

/// The text that a template makes of these values. Errors, with the line: InvalidArgument (the template
/// itself refuses what it was given, with raise_exception), those of filter(), Limit.
[[nodiscard]] core::Result<std::string> render(const Body& body, const Dict& values);

}  // namespace et::inspector::detail::jinja
