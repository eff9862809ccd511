#pragma once

#include "inspector/tokenizers/detail/jinja_functions.h"
#include "inspector/tokenizers/detail/jinja_tree.h"

#include <string>
#include <utility>
#include <vector>

namespace et::inspector::tokenizers::detail::jinja {

/// Renders a template with these values. Errors, with the line: InvalidArgument (the template rejects its
/// values with raise_exception), those of filter(), Limit.
[[nodiscard]] core::Result<std::string> render(const Body& body, const Dict& values);

}  // namespace et::inspector::tokenizers::detail::jinja
