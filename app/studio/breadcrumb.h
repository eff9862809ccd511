#pragma once

#include "app/studio/background.h"
#include "visualizers/toolkit/flame_scene.h"

#include <QLabel>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {
class OpenSession;
class Selection;
}  // namespace et::visualizers

namespace et::studio {

/// Position of the selection in the model: "forward › features › 2 › conv2d". Clicking a part selects
/// everything that runs in it. Parts in the middle are elided if space is short.
class Breadcrumb : public QLabel {
    Q_OBJECT

  public:
    /// Both must outlive the label.
    Breadcrumb(const visualizers::OpenSession& session, visualizers::Selection& selection, QWidget* parent);

    /// The full path as text, without elision.
    [[nodiscard]] QString way() const;
    [[nodiscard]] bool busy() const { return building.running(); }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Crumb {
        QString text;
        std::optional<std::size_t> node{};  ///< node of the scene; nothing: not a link
    };
    using Scene = std::shared_ptr<const visualizers::FlameScene>;
    void build();
    void showChoice();
    void write();
    [[nodiscard]] std::size_t partsKept(int room) const;
    [[nodiscard]] QString linked(const Crumb& crumb, int room) const;
    void follow(const QString& link);
    [[nodiscard]] std::vector<Crumb> crumbsOfChoice() const;
    [[nodiscard]] std::optional<std::size_t> chosenNode() const;

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    Background<Scene> building;
    std::shared_ptr<const inspector::EventBlocks> shown;  ///< source of the scene
    Scene scene;                                          ///< by module; null: not built yet
    std::vector<Crumb> crumbs;
};

}  // namespace et::studio
