/** What a screen reader says of the panel's own controls. */
export const PANEL_LABELS = {
  closeButtonAriaLabel: 'Close the panel',
  openButtonAriaLabel: 'Open the panel',
  resizeHandleAriaLabel: 'Resize the panel',
  resizeHandleTooltipText: 'Drag or use the arrow keys',
};
