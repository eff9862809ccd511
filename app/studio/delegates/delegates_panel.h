#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "app/tasks/rewrite/payload_files.h"
#include "runtime/core/result.h"
#include "visualizers/delegates/delegates_view.h"

#include <filesystem>
#include <memory>

class QAction;
class QSettings;

namespace et::studio {

/// Panel of the open program's delegates and their contents.
class DelegatesPanel : public Panel {
    Q_OBJECT

  public:
    DelegatesPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;

    [[nodiscard]] visualizers::DelegatesView& view() { return *delegates; }
    [[nodiscard]] bool busy() const { return joining.running() || extracting.running(); }

  private:
    void showSession();
    /// The settings of extracting the chosen delegate's payload, without the output file.
    [[nodiscard]] tasks::PayloadSettings payloadSettings() const;
    void choosePayloadFile();
    void extractPayload(const std::filesystem::path& file);

    const visualizers::OpenSession& opened;
    Background<std::shared_ptr<const visualizers::Delegation>> joining;
    Background<core::Result<tasks::PayloadResult>> extracting;
    visualizers::DelegatesView* delegates;
    QSettings& store;
    std::shared_ptr<const visualizers::Delegation> shown;
    QAction* extractAction;
};

}  // namespace et::studio
