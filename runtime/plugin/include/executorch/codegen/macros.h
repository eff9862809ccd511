#pragma once

#ifndef TORCH_API
#define TORCH_API
#endif
