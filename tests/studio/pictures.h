#pragma once

#include "tests/studio/window_driver.h"

#include <string>

namespace et::test {

/// Saves the screen as NAME.png and, in dark colours, as NAME_dark.png: in the build folder, or in
/// docs/studio with ET_UPDATE_SCREENSHOTS=1. Fails the test if a file is too large for the repository.
/// Restores light colours.
void takePictures(WindowDriver& driver, const std::string& name);

}  // namespace et::test
