#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "visualizers/source/source_view.h"

#include <filesystem>
#include <memory>
#include <string>

namespace et::studio {

/// Panel of the open model's Python source. Finds and reads the files that its view requests.
class SourcePanel : public Panel {
    Q_OBJECT

  public:
    SourcePanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;

    [[nodiscard]] visualizers::SourceView& view() { return *source; }
    [[nodiscard]] bool busy() const { return indexing.running() || reading.running(); }
    /// Sets the local file of the displayed source; the mapping of its folders is stored.
    void mapShownFile(const std::filesystem::path& file);

  private:
    void createTools();
    void showSession();
    void readFile(const std::string& recorded);
    void chooseFile();
    void editMappings();

    const visualizers::OpenSession& opened;
    QSettings& settings;
    Background<std::shared_ptr<const visualizers::SourceBase>> indexing;
    Background<visualizers::SourceText> reading;
    visualizers::SourceView* source;
};

}  // namespace et::studio
